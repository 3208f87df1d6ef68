"""Games as environments for reinforcement learning.

`encoding` turns moves and observations into numbers; `pettingzoo_env` and `openspiel` serve these libraries. This
package imports none of its modules, so each of them needs only its own library.
"""
