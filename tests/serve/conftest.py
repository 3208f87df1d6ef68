"""Nothing here needs more than the extra `web`, which the extra `dev` brings."""
