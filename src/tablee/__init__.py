"""Tablée: an online table for French games."""

__version__ = "0.1.0"
