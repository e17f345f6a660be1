"""What a test may touch."""
