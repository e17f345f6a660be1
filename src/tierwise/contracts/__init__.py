"""One suite of clauses, every implementation."""
