"""Measured processes, the machine they ran on, tables to run on, and a store of figures."""

from measuring._machine import commit_of, describe_machine, sentence_of
from measuring._process import Measured, clean_environment, measure
from measuring._store import Store
from measuring._tables import Table, TableMissingError, Tables
from measuring._work import NaiveAnswer, Selection, Workbench

__all__ = [
    "Measured",
    "NaiveAnswer",
    "Selection",
    "Store",
    "Table",
    "TableMissingError",
    "Tables",
    "Workbench",
    "clean_environment",
    "commit_of",
    "describe_machine",
    "measure",
    "sentence_of",
]
