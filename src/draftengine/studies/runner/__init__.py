"""Playing chunks of games: in this process, in several processes, or on a cluster."""
