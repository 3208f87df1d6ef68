"""Worth tables: what a card is worth beyond its points at once, learnt, stored and shipped."""
