"""Bots that play any game, and `decide`, which asks any bot for an action."""
