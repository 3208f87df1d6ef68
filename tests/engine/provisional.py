"""What rules would give as things lie, asked of all of them."""


def standing(public, seat):
    """The points that all rules would give the seat if everything were scored now."""
    return sum(rule.standing(public, seat) for rule in public.program.rules)
