"""A game in a distribution of its own, as pip would install it: a package, its metadata and a built board."""

from __future__ import annotations

from pathlib import Path

import hundred
import small_games
from live import COMMAND, LiveServer

BOARD = """\
export const meta = { names: { fr: 'Haute', en: 'High card' } };
export function mount(target, board) {
  const show = (now) => {
    target.replaceChildren(...(now.offer?.legal ?? []).map((action) => {
      const button = document.createElement('button');
      button.textContent = action.card;
      button.onclick = () => now.play(action);
      return button;
    }));
  };
  show(board);
  return { update: show, destroy: () => target.replaceChildren() };
}
"""


def distribution(site: Path, name: str, files: dict[str, str]) -> None:
    """Install a package that exports a game under its own name."""
    metadata = site / f"{name}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[tablee.games]\n{name} = {name}:PACKAGE\n")
    for path, text in files.items():
        (site / name / path).parent.mkdir(parents=True, exist_ok=True)
        (site / name / path).write_text(text, "utf-8")


def install_haute(site: Path) -> None:
    """Install the game of hundred.py with a board."""
    rules = Path(hundred.__file__).read_text("utf-8")
    exported = "PACKAGE = Package(rules=Haute(), "
    assert exported in rules
    rules = rules.replace(exported, exported + 'board=Path(__file__).parent / "board", ')
    rules = rules.replace("from msgspec import Struct\n", "from pathlib import Path\n\nfrom msgspec import Struct\n", 1)
    files = {
        "__init__.py": rules,
        "board/board.js": BOARD,
        "board/style.css": "button { color: red }",
        "secret.txt": "x",
    }
    distribution(site, "haute", files)


def server_with_game_of_ranges(folder: Path, *options: str) -> LiveServer:
    """Start a server with Stash, which has no board and offers a range of numbers."""
    site = folder / "site"
    rules = Path(small_games.__file__).read_text("utf-8")
    exported = "from tablee.core.package import Package\n\nPACKAGE = Package(rules=Stash())\n"
    distribution(site, "stash", {"__init__.py": rules + exported})
    return server_with(site, folder, *options)


def server_with_installed_game(folder: Path, *options: str) -> LiveServer:
    """Start a server on whose path Haute and a broken game are installed."""
    site = folder / "site"
    install_haute(site)
    distribution(site, "cassee", {"__init__.py": "import atout\n"})
    return server_with(site, folder, *options)


def server_with(site: Path, folder: Path, *options: str) -> LiveServer:
    server = LiveServer(folder / "data", *options)
    server.command = COMMAND  # it finds its games when it imports them
    server.environment["PYTHONPATH"] = str(site)
    return server.start()
