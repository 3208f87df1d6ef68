"""The flow of a game as a list of instructions that change a state of their own."""
