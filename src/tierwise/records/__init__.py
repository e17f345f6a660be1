"""What was learnt, kept."""
