"""Lets ``python -m renyi_cli`` do what ``renyi`` does."""

from renyi_cli import main

main()
