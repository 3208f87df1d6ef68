"""Provisional points of a seat, computed from all rules."""


def standing(public, seat):
    """Return the points that all rules would give the seat if everything were scored now."""
    return sum(rule.standing(public, seat) for rule in public.program.rules)
