"""The report as one HTML page: read from the run store, laid out, and served while evals run."""
