"""Statistics, conclusions and charts that all studies share."""
