"""One folder a game; `tablee.core.discover` finds them by looking here."""
