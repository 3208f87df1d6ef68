"""Cards to print: a choice of cards and copies on sheets of paper, as SVG, HTML or PDF."""
