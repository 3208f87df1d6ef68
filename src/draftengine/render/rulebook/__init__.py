"""The printed rulebook of a card set: its `contents`, written as text, Markdown and HTML."""
