"""Worth tables: the learnt values of cards beyond their points at once, and their storage."""
