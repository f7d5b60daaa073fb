"""Kora Battle in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ...core.game import Seat
from ...core.terminal import Drawing, Line, NotRead, Pressed, TerminalBoard, card_style, card_text
from .rules import HAND
from .values import Accept, Play, Propose, Refuse, Trick, View

FRENCH = {
    "deal": "Donne {deal}",
    "of": " sur {deals}",
    "stake": "mise {stake}",
    "bank": "{name} : {bank} koras, {cards}",
    "cards.one": "{count} carte",
    "cards.other": "{count} cartes",
    "trick": "Tour {number} : ",
    "table": "Sur la table : ",
    "hand": "Votre main",
    "last": "Donne {deal} : {name} gagne {paid} koras ({reason})",
    "reason.trick": "le tour 5",
    "reason.kora": "kora : le tour 5 avec un 3",
    "reason.33": "33",
    "reason.333": "333",
    "reason.sevens": "trois 7",
    "reason.low_sum": "moins de 21 points",
    "prompt.lead": "Vous avez la main : jouez une carte.",
    "prompt.follow": "Répondez à {card}.",
    "prompt.bet": "Proposez une mise de 1 à {most} : écrivez-la, puis Entrée.",
    "prompt.answer": "Une mise de {stake} est proposée. Accepter (o) ou refuser (n) ?",
    "key.card": "choisir",
    "key.play": "jouer",
    "key.yes": "accepter",
    "key.no": "refuser",
    "say.propose": "mise {stake}",
    "say.accept": "mise acceptée",
    "say.refuse": "mise refusée",
    "choose": "Choisissez d’abord une carte, avec les flèches ou son numéro.",
    "yes": "o",
    "no": "n",
}
ENGLISH = {
    "deal": "Deal {deal}",
    "of": " of {deals}",
    "stake": "stake {stake}",
    "bank": "{name}: {bank} koras, {cards}",
    "cards.one": "{count} card",
    "cards.other": "{count} cards",
    "trick": "Trick {number}: ",
    "table": "On the table: ",
    "hand": "Your hand",
    "last": "Deal {deal}: {name} won {paid} koras ({reason})",
    "reason.trick": "trick 5",
    "reason.kora": "kora: trick 5 with a 3",
    "reason.33": "33",
    "reason.333": "333",
    "reason.sevens": "three 7s",
    "reason.low_sum": "less than 21 points",
    "prompt.lead": "You lead: play a card.",
    "prompt.follow": "Answer {card}.",
    "prompt.bet": "Propose a stake from 1 to {most}: type it, then Enter.",
    "prompt.answer": "A stake of {stake} is proposed. Accept (y) or refuse (n)?",
    "key.card": "choose",
    "key.play": "play",
    "key.yes": "accept",
    "key.no": "refuse",
    "say.propose": "stake {stake}",
    "say.accept": "stake accepted",
    "say.refuse": "stake refused",
    "choose": "Choose a card first, with the arrows or its number.",
    "yes": "y",
    "no": "n",
}


class KoraBoard(TerminalBoard):
    texts: ClassVar = {"fr": FRENCH, "en": ENGLISH}
    cursor: int | None = None

    @property
    def view(self) -> View:
        view: View = self.position.view
        return view

    def reset(self) -> None:
        self.cursor = None

    def draw(self, width: int, height: int) -> list[Line]:
        view, words = self.view, self.words
        of = words("of", deals=view.options.deals) if view.options.deals else ""
        drawing = Drawing()
        drawing.line(words("deal", deal=view.deal) + of + (" · " + words("stake", stake=view.stake)), "bold").line()
        me = 0 if view.seat is None else view.seat
        self._bank(drawing, 1 - me)
        drawing.line().put(words("table"), "dim")
        if view.led is not None:
            drawing.put(self.card(view.led), card_style(view.led)).put(f"  {self.name(view.leader)}", "dim")
        drawing.line().line()
        for number in range(HAND):
            drawing.put(words("trick", number=number + 1), "dim")
            if number < len(view.tricks):
                self._trick(drawing, view.tricks[number])
            drawing.line()
        drawing.line()
        self._bank(drawing, me)
        drawing.line()
        self._hand(drawing)
        if view.last_deal is not None:
            last = view.last_deal
            reason = words(f"reason.{last.reason}")
            text = words("last", deal=last.deal, name=self.name(last.winner), paid=last.paid, reason=reason)
            drawing.line().line(text, "last")
        return drawing.lines()

    def _trick(self, drawing: Drawing, trick: Trick) -> None:
        drawing.put(f"{self.card(trick.led):>3}", card_style(trick.led)).put(" / ", "dim")
        drawing.put(f"{self.card(trick.reply):<3}", card_style(trick.reply)).put(f"  {self.name(trick.winner)}")

    def _bank(self, drawing: Drawing, seat: Seat) -> None:
        cards = self.words("cards", count=self.view.cards[seat])
        drawing.line(self.words("bank", name=self.name(seat), bank=self.view.banks[seat], cards=cards), "bold")

    def _hand(self, drawing: Drawing) -> None:
        hand = self.view.hand
        if not hand:
            return
        drawing.line(self.words("hand"), "dim")
        for at, held in enumerate(hand):
            style = "cursor" if at == self.cursor else card_style(held.card) if held.playable else "dim"
            left, right = "[]" if at == self.cursor else "  "
            drawing.put(f"{left}{self.card(held.card):^4}{right} ", style)
        drawing.line()
        for at, held in enumerate(hand):
            drawing.put(f"  {at + 1 if held.playable else '':^4}  ", "dim")
        drawing.line()

    def card(self, card: str) -> str:
        return card_text(card, self.words, self.plain)

    def prompt(self) -> str:
        match self.view.stage:
            case "bet":
                return self.words("prompt.bet", most=self.view.most_stake)
            case "answer":
                return self.words("prompt.answer", stake=self.view.stake)
        led = self.view.led
        return self.words("prompt.lead") if led is None else self.words("prompt.follow", card=self.card(led))

    def keys(self) -> Sequence[tuple[str, str]]:
        if not self.position.mine:
            return ()
        if self.view.stage == "answer":
            return ((self.words("yes"), self.words("key.yes")), (self.words("no"), self.words("key.no")))
        if self.view.stage == "bet":
            return ()
        return (("1-5 ← →", self.words("key.card")), (self.words("enter"), self.words("key.play")))

    def press(self, key: str) -> Pressed | None:
        if not self.position.mine:
            return None
        if self.view.stage == "answer":
            return {self.words("yes"): Pressed(Accept()), self.words("no"): Pressed(Refuse())}.get(key)
        return self._choose(key) if self.view.stage == "play" else None

    def _choose(self, key: str) -> Pressed | None:
        hand = self.view.hand
        playable = [at for at, held in enumerate(hand) if held.playable]
        if key == "enter":
            if self.cursor is None and len(playable) > 1:
                return Pressed(problem=self.words("choose"))
            at = playable[0] if self.cursor is None else self.cursor
            return Pressed(Play(hand[at].card))
        if key in ("left", "right"):
            step = 1 if key == "right" else -1
            at = playable.index(self.cursor) + step if self.cursor in playable else 0 if step > 0 else -1
            self.cursor = playable[at % len(playable)]
            return Pressed()
        if key.isdecimal() and 1 <= int(key) <= len(hand):
            self.cursor = int(key) - 1
            return Pressed()
        return None

    def read(self, text: str) -> Any:
        stripped = text.strip().upper()
        if self.view.stage == "bet" and stripped.isdecimal() and len(stripped) < 6:
            return Propose(int(stripped))
        for held in self.view.hand:
            if stripped in (held.card, self.card(held.card).upper()):
                return Play(held.card)
        raise NotRead(self.words("not_read", text=text))

    def describe(self, seat: Seat, action: Any) -> str:
        match action:
            case Play(card):
                return self.card(card)
            case Propose(stake):
                return self.words("say.propose", stake=stake)
            case Accept():
                return self.words("say.accept")
            case Refuse():
                return self.words("say.refuse")
        return super().describe(seat, action)
