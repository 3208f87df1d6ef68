"""Learnt networks: small networks that learnt from a search how good the moves of a game are."""
