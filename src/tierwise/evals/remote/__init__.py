"""Trials carried out by other processes: what is said between them and the one that drives."""
