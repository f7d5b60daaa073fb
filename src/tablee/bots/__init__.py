"""Computer players that know only the contract, and the one way to ask any computer player for an action."""
