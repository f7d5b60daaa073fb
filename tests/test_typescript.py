"""The client's types are those of the server."""

from pathlib import Path

import msgspec

from tablee import typescript

WEB = Path(__file__).parents[1] / "web"


def test_the_generated_types_are_not_stale() -> None:
    stale = [name for name, text in typescript.files(WEB).items() if (WEB / "src" / name).read_text() != text]
    assert not stale, f"run `tablee types`: {stale}"


def test_only_games_with_a_client_folder_have_types(tmp_path: Path) -> None:
    (tmp_path / "src" / "games" / "kora").mkdir(parents=True)
    assert set(typescript.files(tmp_path)) == {"core/paces.gen.ts", "core/types.gen.ts", "games/kora/types.gen.ts"}


def test_a_struct_becomes_an_interface_and_a_default_may_be_left_out_only_by_the_sender() -> None:
    class Sent(msgspec.Struct):
        """Said by the client."""

        seat: int
        note: str | None = None

    class Shown(msgspec.Struct):
        pair: tuple[int, str]
        seen: list[int | None] = []

    made = typescript.render((Sent,), (Shown,), {"Either": Sent | None})
    assert "/** Said by the client. */\nexport interface Sent {\n  seat: number;\n  note?: string | null;\n}" in made
    assert "export interface Shown {\n  pair: [number, string];\n  seen: (number | null)[];\n}" in made
    assert "export type Either = Sent | null;" in made
