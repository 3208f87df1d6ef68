"""Worth tables: learnt values of cards beyond their immediate points, and the files that store them."""
