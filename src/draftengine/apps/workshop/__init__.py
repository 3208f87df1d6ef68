"""The workshop: a page on which people write the rules of a game, and see what they mean and do."""
