class GameBoard:
    def __init__(self, m, n, key):
        self.key = [list(key[i * n : i * n + n]) for i in range(m)]
        self.shown = [["?"] * n for _ in range(m)]
        self.left = {"R": key.count("R"), "B": key.count("B")}
        self.team = "R" if self.left["R"] > self.left["B"] else "B"
        self.over = False

    def __str__(self):
        return "\n".join([" ".join(row) for row in self.shown])

    def isover(self):
        return self.over

    def turn(self):
        assert not self.over, "game over"
        return self.team

    def stop(self):
        assert not self.over, "game over"
        self.team = "B" if self.team == "R" else "R"
        return self

    def select(self, r, c):
        assert not self.over, "game over"
        assert 0 <= r < len(self.key) and 0 <= c < len(self.key[0]), "invalid card"
        assert self.shown[r][c] == "?", "invalid card"
        card = self.key[r][c]
        self.shown[r][c] = card
        if card in self.left:
            self.left[card] -= 1
        if card == "X" or 0 in self.left.values():
            self.over = True
        elif card != self.team:
            self.stop()
        return self
