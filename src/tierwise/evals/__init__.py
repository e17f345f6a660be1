"""Plan, trials, scores, verdict."""
