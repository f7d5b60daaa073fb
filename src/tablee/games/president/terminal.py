"""Super Président in the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar

from ...core.game import Seat
from ...core.terminal import Drawing, Line, NotRead, Pressed, TerminalBoard, card_style, card_text
from .values import Close, Declare, Give, Laid, Pass, Play, Stop, View

FRENCH = {
    "manche": "Manche {manche} sur {rounds}",
    "revolution": "révolution : le 3 est le plus fort",
    "closing": "le {rank} ferme",
    "cards.one": "{count} carte",
    "cards.other": "{count} cartes",
    "score": "{score} pts",
    "out": "passe",
    "waived": "passe",
    "sunk": "coulé",
    "place": "sorti ({place})",
    "title.president": "Président",
    "title.vice_president": "Vice-Président",
    "title.neutre": "Neutre",
    "title.avant_dernier": "Avant-dernier",
    "title.trouduc": "Trouduc",
    "trick": "Pli : ",
    "trick.last": "Pli d’avant : ",
    "trick.none": "vide",
    "demand": "On demande : ",
    "demand.any": "ce que vous voulez",
    "demand.size.one": "{count} carte",
    "demand.size.other": "{count} cartes",
    "suite": "suite",
    "reverse": "reverse",
    "declare": "Annonce : {declare}",
    "hand": "Votre main",
    "gift": "Échange : {giver} donne {cards} à {receiver}",
    "prompt.lead": "Vous entamez : choisissez des cartes du même rang.",
    "prompt.follow": "À vous de suivre.",
    "prompt.stuck": "Rien à jouer : Entrée pour passer.",
    "prompt.alone": "Vous êtes seul dans le reverse : continuez, ou x pour arrêter.",
    "prompt.close": "Vous pouvez fermer le pli : f.",
    "prompt.give.one": "Choisissez {count} carte à donner.",
    "prompt.give.other": "Choisissez {count} cartes à donner.",
    "key.rank": "rang",
    "key.toggle": "une carte",
    "key.pass": "passer",
    "key.close": "fermer",
    "key.stop": "arrêter",
    "key.declare": "annonce",
    "key.give": "donner",
    "keys.rank": "3-9 0vdra2",
    "rank_keys": "0:T v:J d:Q r:K a:A",
    "close_key": "f",
    "say.pass": "passe",
    "say.stop": "reverse arrêté",
    "say.close": "fermeture {cards}",
    "say.give": "don de {cards}",
    "say.gave": "don fait",
    "choose": "Choisissez d’abord des cartes.",
}
ENGLISH = {
    "manche": "Round {manche} of {rounds}",
    "revolution": "revolution: 3 is the strongest",
    "closing": "{rank} closes",
    "cards.one": "{count} card",
    "cards.other": "{count} cards",
    "score": "{score} pts",
    "out": "passed",
    "waived": "passed",
    "sunk": "sunk",
    "place": "out ({place})",
    "title.president": "Président",
    "title.vice_president": "Vice-Président",
    "title.neutre": "Neutral",
    "title.avant_dernier": "Second to last",
    "title.trouduc": "Trouduc",
    "trick": "Trick: ",
    "trick.last": "Trick before: ",
    "trick.none": "empty",
    "demand": "Asked for: ",
    "demand.any": "anything",
    "demand.size.one": "{count} card",
    "demand.size.other": "{count} cards",
    "suite": "suite",
    "reverse": "reverse",
    "declare": "Declared: {declare}",
    "hand": "Your hand",
    "gift": "Exchange: {giver} gives {cards} to {receiver}",
    "prompt.lead": "You lead: choose cards of one rank.",
    "prompt.follow": "Your turn to follow.",
    "prompt.stuck": "Nothing to play: Enter passes.",
    "prompt.alone": "You are alone in the reverse: go on, or x to stop.",
    "prompt.close": "You can close the trick: c.",
    "prompt.give.one": "Choose {count} card to give.",
    "prompt.give.other": "Choose {count} cards to give.",
    "key.rank": "rank",
    "key.toggle": "one card",
    "key.pass": "pass",
    "key.close": "close",
    "key.stop": "stop",
    "key.declare": "declare",
    "key.give": "give",
    "keys.rank": "3-9 0jqka2",
    "rank_keys": "0:T j:J q:Q k:K a:A",
    "close_key": "c",
    "say.pass": "pass",
    "say.stop": "reverse stopped",
    "say.close": "closing {cards}",
    "say.give": "gift {cards}",
    "say.gave": "gift made",
    "choose": "Choose cards first.",
}
ROW = 9
"""Cards in a row of the hand."""


class PresidentBoard(TerminalBoard):
    texts: ClassVar = {"fr": FRENCH, "en": ENGLISH}
    picked: frozenset[str] = frozenset()
    cursor: int | None = None
    declare: Declare | None = None

    @property
    def view(self) -> View:
        view: View = self.position.view
        return view

    def reset(self) -> None:
        self.picked, self.cursor, self.declare = frozenset(), None, None

    def show(self, position: Any) -> None:
        """Keep the chosen cards while others play."""
        picked, cursor = self.picked, self.cursor
        super().show(position)
        if position.outcome is None:
            self.picked = picked & set(self.view.hand)
            self.cursor = cursor if cursor is not None and cursor < len(self.view.hand) else None

    def draw(self, width: int, height: int) -> list[Line]:
        view, words = self.view, self.words
        drawing = Drawing()
        head = words("manche", manche=view.manche, rounds=view.options.rounds)
        drawing.put(head, "bold").put(" · " + words("closing", rank=self.rank(view.closing_rank)), "dim")
        drawing.line(" · " + words("revolution") if view.revolution else "", "bad")
        for seat in range(len(view.seats)):
            self._player(drawing, seat)
        drawing.line()
        plays, label = (
            (view.trick, "trick") if view.trick or not view.last_trick else (view.last_trick.plays, "trick.last")
        )
        self._trick(drawing, plays, label, width)
        self._demand(drawing)
        gifts = [gift for gift in view.gifts if gift.cards]
        for gift in gifts[:2]:
            cards = " ".join(map(self.card, gift.cards))
            text = words("gift", giver=self.name(gift.giver), receiver=self.name(gift.receiver), cards=cards)
            drawing.line(text, "dim")
        self._hand(drawing)
        return drawing.lines()

    def _player(self, drawing: Drawing, seat: Seat) -> None:
        one, words = self.view.seats[seat], self.words
        mark = ">" if seat in self.view.waiting else " "
        drawing.put(f"{mark} {self.name(seat)[:10]:<10} ", "cursor" if seat in self.view.waiting else "bold")
        cards = words("cards", count=one.cards)
        if one.sunk:
            cards = words("sunk")
        elif one.place is not None:
            cards = words("place", place=one.place)
        drawing.put(f" {cards:<9} {words('score', score=one.score):<8}")
        notes = [words(f"title.{one.title}")] if one.title else []
        if one.out:
            notes.append(words("out"))
        elif one.waived:
            notes.append(words("waived"))
        drawing.line(", ".join(notes), "dim")

    def _trick(self, drawing: Drawing, plays: Sequence[Laid], label: str, width: int) -> None:
        """Write the last plays of a trick, as many as fit."""
        drawing.put(self.words(label), "dim")
        if not plays:
            drawing.put(self.words("trick.none"), "dim")
        shown: list[tuple[Laid, str]] = []
        left = width - len(self.words(label)) - 4
        for laid in reversed(plays):
            note = f"({self.name(laid.seat)[:7]}{f' {self.words(laid.declare)}' if laid.declare else ''}) "
            left -= sum(len(self.card(card)) + 1 for card in laid.cards) + len(note)
            if left < 0:
                drawing.put("... ", "dim")
                break
            shown.insert(0, (laid, note))
        for laid, note in shown:
            for card in laid.cards:
                drawing.put(self.card(card), card_style(card)).put(" ")
            drawing.put(note, "dim")
        drawing.line()

    def _demand(self, drawing: Drawing) -> None:
        demand, words = self.view.demand, self.words
        if demand is None:
            drawing.line()
            return
        drawing.put(words("demand"), "dim")
        if demand.size is None:
            drawing.line(words("demand.any"))
            return
        ranks = " ".join(map(self.rank, demand.ranks))
        if len(demand.ranks) > 3:
            ranks = f"{self.rank(demand.ranks[0])} .. {self.rank(demand.ranks[-1])}"
        drawing.put(f"{words('demand.size', count=demand.size)}  {ranks}", "last")
        for declare in ("suite", "reverse"):
            if rank := getattr(demand, declare):
                drawing.put(f"  {words(declare)} {self.rank(rank)}", "last")
        drawing.line()

    def _hand(self, drawing: Drawing) -> None:
        hand = self.view.hand
        drawing.line()
        drawing.put(self.words("hand"), "dim")
        if self.declare is not None:
            drawing.put("  " + self.words("declare", declare=self.words(self.declare)), "target")
        drawing.line()
        for first in range(0, len(hand), ROW):
            for at in range(first, min(first + ROW, len(hand))):
                self._hand_card(drawing, at)
            drawing.line()

    def _hand_card(self, drawing: Drawing, at: int) -> None:
        card = self.view.hand[at]
        left, right = "[]" if card in self.picked else "  "
        if at == self.cursor:
            left = ">"
        style = "cursor" if at == self.cursor else "picked" if card in self.picked else card_style(card)
        drawing.put(f"{left}{self.card(card):^3}{right}", style).put(" ")

    def card(self, card: str) -> str:
        return card_text(card, self.words, self.plain)

    def rank(self, rank: str) -> str:
        return card_text(rank + "S", self.words, True)[:-1]

    def may_act(self) -> bool:
        return bool(self.position.legal)

    def prompt(self) -> str:
        legal, words = self.position.legal, self.words
        if not self.position.mine:
            return words("prompt.close")
        if self.view.stage == "exchange":
            return words("prompt.give", count=self._gift_size())
        if self.view.stage == "alone":
            return words("prompt.alone")
        if Pass() in legal and not any(isinstance(action, Play | Close) for action in legal):
            return words("prompt.stuck")
        return words("prompt.follow" if self.view.trick else "prompt.lead")

    def _gift_size(self) -> int:
        legal = self.position.legal
        return len(legal[0].cards) if legal and isinstance(legal[0], Give) else 0

    def keys(self) -> Sequence[tuple[str, str]]:
        words, legal = self.words, self.position.legal
        close = [(words("close_key"), words("key.close"))] if any(isinstance(one, Close) for one in legal) else []
        if not self.position.mine:
            return close
        keys = [(words("keys.rank"), words("key.rank")), (words("enter"), words("key.play")), *close]
        if Pass() in legal:
            keys.append(("p", words("key.pass")))
        if Stop() in legal:
            keys.append(("x", words("key.stop")))
        if any(isinstance(one, Play) and one.declare for one in legal):
            keys.append(("Tab", words("key.declare")))
        return keys

    def help(self) -> Sequence[tuple[str, str]]:
        words = self.words
        return (
            (words("keys.rank"), words("key.rank")),
            (f"← → {words('space')}", words("key.toggle")),
            (words("enter"), words("key.play")),
            ("p", words("key.pass")),
            (words("close_key"), words("key.close")),
            ("Tab", words("key.declare")),
            ("x", words("key.stop")),
        )

    def press(self, key: str) -> Pressed | None:
        legal = self.position.legal
        if key == self.words("close_key"):
            return next((Pressed(one) for one in legal if isinstance(one, Close)), None)
        for letter, action in (("p", Pass()), ("x", Stop())):
            if key == letter and action in legal:
                return Pressed(action)
        if key in ("left", "right", "space"):
            return self._move(key)
        if key == "tab":
            return self._next_declaration()
        if key == "enter":
            return self._play() if self.position.mine else None
        ranks = dict(pair.split(":") for pair in self.words("rank_keys").split())
        return self._add(ranks.get(key.lower(), key))

    def _add(self, rank: str) -> Pressed | None:
        """Pick one more card of a rank; once all are picked, none."""
        held = [card for card in self.view.hand if card[0] == rank]
        if not held:
            return None
        free = [card for card in held if card not in self.picked]
        others = self.picked if self.view.stage == "exchange" else frozenset()
        mine = self.picked & set(held)
        self.picked = (others - set(held)) | (mine | {free[0]} if free else frozenset())
        return Pressed()

    def _move(self, key: str) -> Pressed:
        count = len(self.view.hand)
        if not count:
            return Pressed()
        if key == "space":
            if self.cursor is not None:
                self.picked ^= {self.view.hand[self.cursor]}
            return Pressed()
        step = 1 if key == "right" else -1
        self.cursor = (0 if step > 0 else count - 1) if self.cursor is None else (self.cursor + step) % count
        return Pressed()

    def _next_declaration(self) -> Pressed:
        possible: list[Declare | None] = [None]
        possible += dict.fromkeys(one.declare for one in self.position.legal if isinstance(one, Play) and one.declare)
        at = possible.index(self.declare) if self.declare in possible else 0
        self.declare = possible[(at + 1) % len(possible)]
        return Pressed()

    def _play(self) -> Pressed:
        cards = tuple(card for card in self.view.hand if card in self.picked)
        legal = self.position.legal
        only = [one for one in legal if not isinstance(one, Close)]
        if only == [Pass()] or (not cards and len(only) == 1):
            return Pressed(only[0])
        if not cards:
            return Pressed(problem=self.words("choose"))
        return Pressed(Give(cards) if self.view.stage == "exchange" else Play(cards, self.declare))

    def read(self, text: str) -> Any:
        """Read the ranks of cards, such as `77`, or the game's notation."""
        typed = text.strip().upper()
        wanted = Counter(typed.replace("10", "T"))
        legal = self.position.legal
        for one in legal:
            if isinstance(one, Play | Give) and Counter(card[0] for card in one.cards) == wanted:
                return one
        try:
            return self.position.game.notation.read_action(text.strip())
        except ValueError:
            raise NotRead(self.words("not_read", text=text)) from None

    def describe(self, seat: Seat, action: Any) -> str:
        words = self.words
        match action:
            case Play(cards, declare):
                return " ".join(map(self.card, cards)) + (f" {words(declare)}" if declare else "")
            case Close(cards):
                return words("say.close", cards=" ".join(map(self.card, cards)))
            case Give(()):
                return words("say.gave")
            case Give(cards):
                return words("say.give", cards=" ".join(map(self.card, cards)))
            case Pass():
                return words("say.pass")
            case Stop():
                return words("say.stop")
        return super().describe(seat, action)
