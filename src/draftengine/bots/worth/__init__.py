"""Worth tables: learnt values of cards beyond their immediate points, and their files."""
