"""How a game is played: compile a card set to a program, and run the kernel on a state record."""
