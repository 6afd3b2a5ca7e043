class Kluizenaar:
    def __init__(self, n):
        self.n = n
        self.rows = []
        for _ in range(n):
            self.rows.append(["."] * n)

    def __str__(self):
        return "\n".join([" ".join(row) for row in self.rows])

    def posities(self, cell, placement):
        r, c = cell
        result = {(r, c)}
        if placement == "H":
            result.add((r, c + 1))
        if placement == "V":
            result.add((r + 1, c))
        return result

    def isgeldig(self, colour, cell):
        r, c = cell
        if r < 0 or c < 0 or r >= self.n or c >= self.n:
            return False
        if self.rows[r][c] != ".":
            return False
        for i in range(r - 1, r + 2):
            for j in range(c - 1, c + 2):
                if 0 <= i < self.n and 0 <= j < self.n and self.rows[i][j] == colour:
                    return False
        return True

    def zet(self, colour, cell, placement):
        cells = self.posities(cell, placement)
        for each in cells:
            assert self.isgeldig(colour, each), "ongeldige zet"
        for r, c in cells:
            self.rows[r][c] = colour
        return self

    def mogelijke_zetten(self):
        moves = set()
        for r in range(self.n):
            for c in range(self.n):
                for colour in "RYB":
                    for placement in "UHV":
                        cells = self.posities((r, c), placement)
                        if all([self.isgeldig(colour, each) for each in cells]):
                            moves.add((colour, (r, c), placement))
        return moves
