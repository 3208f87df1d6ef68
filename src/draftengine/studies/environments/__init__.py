"""Games as environments for learning programs: `encoding` in numbers, `pettingzoo_env` and `openspiel` for libraries.

Nothing is imported here, so each of them needs only its own library.
"""
