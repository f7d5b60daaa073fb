BOTS: dict[str, object] = {"facile": None, "moyen": None, "difficile": None}
