import sys


def show(board):
    for row in board:
        print("".join(row))
    black = sum([row.count("N") for row in board])
    white = sum([row.count("B") for row in board])
    print(str(black) + ":" + str(white))
    print()


n = int(input())
board = []
for _ in range(n):
    board.append(["."] * n)
half = n // 2
board[half - 1][half - 1] = "B"
board[half][half] = "B"
board[half - 1][half] = "N"
board[half][half - 1] = "N"
show(board)
for line in sys.stdin:
    colour, row, column = line.split()
    r = int(row) - 1
    c = int(column) - 1
    other = "B" if colour == "N" else "N"
    board[r][c] = colour
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            i = r + dr
            j = c + dc
            taken = []
            while 0 <= i < n and 0 <= j < n and board[i][j] == other:
                taken.append((i, j))
                i += dr
                j += dc
            if 0 <= i < n and 0 <= j < n and board[i][j] == colour:
                for i, j in taken:
                    board[i][j] = colour
    show(board)
