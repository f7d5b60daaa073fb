"""Kora Battle as text (a first version lives here until the full one lands)."""
class KoraNotation:
    pass
