"""Tools for authors of games: `tablee new` and `tablee laws`. `template/` is the game of docs/adding-a-game.md."""
