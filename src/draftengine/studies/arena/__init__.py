"""How strong bots are: duplicate deals, intervals by deal, ratings, and a test that stops when it knows enough."""
