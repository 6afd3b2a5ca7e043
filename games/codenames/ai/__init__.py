"""The choices of the computer players of Codenames: meanings of words, clues and guesses."""
