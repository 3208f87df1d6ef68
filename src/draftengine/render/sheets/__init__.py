"""Cards to print: which cards, in how many copies, on sheets of paper, as SVG, HTML or PDF."""
