def main():
    board = Othello(int(input()))  # noqa: F821  # the class stands before this program
    while True:
        print(board)
        black, white = board.counts()
        print(f"{black}:{white}\n")
        try:
            colour, row, column = input().split()
        except EOFError:
            return
        board.move(colour, (int(row) - 1, int(column) - 1))


main()
