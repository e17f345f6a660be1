"""Order dependence: which test changes how another one ends, and through what."""
