"""Scenarios: declarative tests of card sets, in files of their own or as worked examples inside them."""
