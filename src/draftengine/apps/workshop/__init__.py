"""The workshop: a page on which people write the rules of a game and see their meaning and effects."""
