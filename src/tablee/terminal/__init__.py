"""Play in a terminal: against bots on this machine, or at a table of a server.

`app.py` paints with Textual; only `tablee play` imports it. Each game draws itself (`core/terminal.py`).
"""
