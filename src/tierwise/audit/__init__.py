"""What a test suite is like today, whatever it declares: facts in, findings out."""
