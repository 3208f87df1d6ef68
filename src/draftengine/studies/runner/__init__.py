"""Chunks of games, played in this process, in others or on a cluster."""
