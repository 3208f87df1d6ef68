"""Scenarios: declarative test cases for card sets, and worked examples inside them."""
