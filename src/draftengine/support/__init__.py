"""Small tools that know nothing of games."""
