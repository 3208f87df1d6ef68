"""Playing of chunks of games: in this process, in others or on a cluster."""
