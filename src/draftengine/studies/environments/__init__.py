"""Games as environments for reinforcement learning.

`encoding` turns moves and observations into numbers. `pettingzoo_env` and `openspiel` make environments for these two
libraries. This package imports none of its modules, so each of them needs only its own library.
"""
