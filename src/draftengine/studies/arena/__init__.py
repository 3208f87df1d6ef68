"""Tournaments of bots on duplicate deals.

Results come with intervals by deal, ratings, and a sequential test that stops once it is decided.
"""
