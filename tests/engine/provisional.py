"""What rules would give as things lie, asked of all of them."""


def standing(glance, seat):
    """The points that all rules would give the seat if everything were scored now."""
    return sum(rule.standing(glance, seat) for rule in glance.program.rules)
