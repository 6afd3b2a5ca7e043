STEPS = {
    "N": (-1, 0),
    "NE": (-1, 1),
    "E": (0, 1),
    "SE": (1, 1),
    "S": (1, 0),
    "SW": (1, -1),
    "W": (0, -1),
    "NW": (-1, -1),
}


class Santorini:
    def __init__(self, places):
        self.workers = {}
        for i in range(len(places)):
            self.workers["ABCDEFGH"[i]] = tuple(places[i])
        self.heights = [[0] * 5 for _ in range(5)]
        self.winner = None

    def __str__(self):
        rows = [[str(height) for height in row] for row in self.heights]
        for worker in self.workers:
            r, c = self.workers[worker]
            rows[r][c] = worker
        return "\n".join(["".join(row) for row in rows])

    def level(self, worker):
        r, c = self.workers[worker]
        return self.heights[r][c]

    def winning_worker(self):
        return self.winner

    def neighbour(self, worker, direction, message):
        r = self.workers[worker][0] + STEPS[direction][0]
        c = self.workers[worker][1] + STEPS[direction][1]
        assert 0 <= r < 5 and 0 <= c < 5, message
        assert (r, c) not in self.workers.values(), message
        assert self.heights[r][c] < 4, message
        return r, c

    def move_worker(self, worker, direction):
        r, c = self.neighbour(worker, direction, "invalid move")
        assert self.heights[r][c] <= self.level(worker) + 1, "invalid move"
        self.workers[worker] = (r, c)
        if self.heights[r][c] == 3 and self.winner is None:
            self.winner = worker
        return self

    def build_tower(self, worker, direction):
        r, c = self.neighbour(worker, direction, "invalid build")
        self.heights[r][c] += 1
        return self
