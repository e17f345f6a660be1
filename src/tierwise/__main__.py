"""`python -m tierwise` is the `tierwise` command."""

from tierwise.cli import main

if __name__ == "__main__":
    main()
