"""The report for programs: read from the run store, then written as text of some format."""
