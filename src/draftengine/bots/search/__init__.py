"""Searches: the kernel runs them, specialised and compiled (see `draftengine.engine.plan`).

A search plays out the rest of the game many times. Each *playout* takes place in a new *world*: a game that the
searching seat cannot tell from the real one. Work done once for each decision is ordinary Python; work done in each
playout is kernel code:

- `worlds`: turns a seat's knowledge (`draftengine.engine.redeal.HiddenCards`) into a game in which everything certain
  is in its place, and lists the cards and places that are uncertain. Every playout copies that game and deals the
  uncertain cards.
- `trees`: one tree for every seat, of its own moves. A node is a slot in arrays. The slots for the moves below a node
  are made when a playout reaches the node for the second time. A move of several cards is a path through several blocks
  of slots.
- `playouts`: the policies of the seats, the sequence of decisions, and the counting of results on every path.
- `searcher`: the interface: begin a search, run playouts, read the results.

Code that moves cards is specialised to each seat, because the state of a game is only read at static indices. Code that
compares moves reads a view of the table that is rotated to the player (`draftengine.engine.kernel.policies`), and trees
do not read the game. So in that code the player is a variable, and one function serves all players. Worths and chances
to win are passed as arrays instead of being compiled in, so one compiled search serves all bots.
"""
