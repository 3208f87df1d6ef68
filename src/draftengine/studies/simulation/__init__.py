"""Games by the million: chunks of games, played anywhere, counted the same, and what the counts say."""
