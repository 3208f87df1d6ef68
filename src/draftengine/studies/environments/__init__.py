"""Games as environments for reinforcement learning.

`table` turns moves and observations into numbers, and plays games action by action. `pettingzoo_env` and `openspiel`
make environments for these two libraries. This package imports none of its modules, so each of them needs only its own
library.
"""
