"""Fixtures of the tests of the program."""

from tests.programs import start_program

__all__ = ["start_program"]
