"""The variables that tests see: what is put in for a session, and what a test changes itself."""
