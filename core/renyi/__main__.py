"""Lets ``python -m renyi`` do what ``renyi`` does."""

from renyi_cli import main

if __name__ == "__main__":
    main()
