"""Cards to print: a selection of cards and copies on sheets of paper, as SVG, HTML or PDF."""
