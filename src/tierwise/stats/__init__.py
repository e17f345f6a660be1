"""Intervals, bounds and sample sizes: numbers in, numbers out."""
