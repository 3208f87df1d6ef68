"""Searches, in the kernel that is specialised to its card set and compiled (see `draftengine.engine.plan`).

A search plays the rest of the game many times, each time in another world: a game that the seat which searches cannot
tell from the real one. What happens once a decision is ordinary Python; what happens once a playout is the kernel:

- `beliefs`: what a seat knows (`draftengine.engine.redeal.HiddenCards`) becomes a game in which everything certain
  lies in its place, and lists of what is dealt to which places.
- `worlds`: copy that game, and deal what is not certain.
- `trees`: a tree of its own moves for every seat. A node is a row of numbers; the slots for the moves behind it are
  made when it is reached for the second time, and a move of several cards is a way through such blocks of slots.
- `playouts`: who plays by what, one decision after the other, and what the end counts for on every path.
- `searcher`: the same from outside: begin, run, read what was found.

Seats are known where cards are moved, because the state of a game is only ever read at places that are known. Moves are
compared from a view of the table that is turned round (`draftengine.engine.kernel.view`), and trees do not look at the
game, so there a player is a number like any other, and their code stands once. What was learnt and what is aimed at
(worths, chances to win) is given as arrays and numbers and never part of the code: one compiled search serves all bots.
"""
