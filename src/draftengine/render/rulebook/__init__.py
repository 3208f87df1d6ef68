"""The printed rulebook of a card set: its `contents`, and their form as text, Markdown and HTML."""
