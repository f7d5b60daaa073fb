"""E-mails to people who asked for them: to confirm an address, and a digest of tables that wait or have ended.

A digest is sent some time after a person was told about a turn and has not looked since, and seldom. Whichever server
looks first claims it in the store, so it is sent once.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from email.message import EmailMessage
from html import escape

from ..core.game import Refused
from ..store import Store, StoreClosed, StoreDown
from ..store.notifications import Email, Lang
from ..table import PersonId
from .clock import Clock
from .lobby import Lobby
from .logs import failed_writes_log
from .mail import Mailer
from .mail_links import MailLinks, hashed
from .notice_words import TableNotice, table_notice
from .turns import awaited_people, players_of_ended

SWEEP_SECONDS = 60.0
WAIT_SECONDS = 600.0
"""How long a person has to look at a table before a digest names it: most come back by themselves."""
EVERY_SECONDS = 3 * 3600.0
"""The shortest time between two digests."""
MOST_AT_ONCE = 200
"""Digests that one sweep sends."""

WORDS: dict[Lang, dict[str, str]] = {
    "fr": {
        "confirm": "Confirmez votre adresse pour Tablée",
        "confirm.text": "Vous, ou quelqu’un d’autre, avez demandé à Tablée de vous écrire quand c’est à vous.\n"
        "Pour confirmer, ouvrez ce lien dans les trois jours\u202f:\n\n{link}\n\n"
        "Sinon, ne faites rien\u202f: personne ne vous écrira.",
        "many": "C’est à vous de jouer à {count} tables",
        "some": "Du nouveau à {count} tables",
        "intro": "On vous attend\u202f:",
        "ended": "C’est fini\u202f:",
        "end": "Vous recevez ce message parce que vous l’avez demandé. Pour ne plus en recevoir, un clic suffit\u202f:",
    },
    "en": {
        "confirm": "Confirm your address for Tablée",
        "confirm.text": "You, or somebody else, asked Tablée to write to you when it is your turn.\n"
        "To confirm, open this link within three days:\n\n{link}\n\nOtherwise do nothing: nobody will write to you.",
        "many": "It is your turn at {count} tables",
        "some": "News from {count} tables",
        "intro": "These tables wait for you:",
        "ended": "These matches are over:",
        "end": "You get this message because you asked for it. One click ends them:",
    },
}


class Digests:
    """Writes and sends the mails of one server."""

    def __init__(self, store: Store, lobby: Lobby, mailer: Mailer, links: MailLinks, site: str, time: Clock) -> None:
        self._store = store
        self._lobby = lobby
        self._mailer = mailer
        self._links = links
        self._site = site
        self._time = time
        self._tasks: set[asyncio.Task[bool]] = set()

    def ask_to_confirm(self, email: Email) -> None:
        """Send a link that proves that the address belongs to the person; nobody waits for the mail server."""
        words = WORDS[email.lang]
        link = f"{self._site}/courriel/{self._links.make('confirm', email)}"
        mail = new_mail(email.address, words["confirm"], words["confirm.text"].format(link=link))
        self._send(mail)

    async def confirm(self, person: PersonId, address: str) -> bool:
        """Confirm the address whose hash a link names; return False if the person has another one by now."""
        email = await self._store.notifications.email(person)
        if email is None or hashed(email.address) != address:
            return False
        return await self._store.notifications.confirm_email(person, email.address)

    async def unsubscribe(self, person: PersonId, address: str) -> None:
        """Forget the address whose hash a link names."""
        email = await self._store.notifications.email(person)
        if email is not None and hashed(email.address) == address:
            await self._store.notifications.remove_email(person)

    async def sweep_forever(self) -> None:
        while True:
            await self._time.sleep(SWEEP_SECONDS)
            try:
                await self.sweep()
            except StoreClosed:
                return
            except StoreDown as down:
                failed_writes_log.warning("the digests wait for the database: %s", down)

    async def sweep(self) -> None:
        """Send every digest that is due."""
        now = self._time.wall()
        due = await self._store.notifications.due(
            told_before=now - WAIT_SECONDS, mailed_before=now - EVERY_SECONDS, most=MOST_AT_ONCE
        )
        for email, codes in due:
            waiting = [table for code in codes if (table := await self._waiting(code, email.person)) is not None]
            await self._store.notifications.mark_mailed(email.person, set(codes) - {one.code for one in waiting})
            if waiting and await self._store.notifications.claim_digest(email, now):
                await self._store.notifications.mark_mailed(email.person, codes)
                self._send(self._digest(email, waiting))

    async def _waiting(self, code: str, person: PersonId) -> TableNotice | None:
        """Return a table if it still waits for a person, or if their match over days has ended."""
        with suppress(Refused):
            table = (await self._lobby.open(code)).table
            if person in awaited_people(table) or person in players_of_ended(table):
                return table_notice(table, person, self._lobby.services.people)
        return None

    def _digest(self, email: Email, tables: list[TableNotice]) -> EmailMessage:
        words, count = WORDS[email.lang], len(tables)
        token = self._links.make("unsubscribe", email)
        end = f"{self._site}/courriel/{token}"
        waiting = [one for one in tables if one.about == "turn"]
        groups = {"intro": waiting, "ended": [one for one in tables if one.about != "turn"]}
        text, html = "", ""
        for intro, group in groups.items():
            if not group:
                continue
            rows = [(one.title(email.lang), one.against(email.lang), f"{self._site}/table/{one.code}") for one in group]
            text += "\n\n".join([words[intro], *(f"{a}\n{b}\n{link}" for a, b, link in rows)]) + "\n\n"
            listed = "".join(f'<li><a href="{link}">{escape(a)}</a><br>{escape(b)}</li>' for a, b, link in rows)
            html += f"<p>{words[intro]}</p><ul>{listed}</ul>"
        several = words["many" if len(waiting) == count else "some"].format(count=count)
        mail = new_mail(
            email.address, tables[0].title(email.lang) if count == 1 else several, f"{text}{words['end']}\n{end}"
        )
        mail.add_alternative(
            f'<html lang="{email.lang}"><body>{html}'
            f'<p><small>{words["end"]} <a href="{end}">{end}</a></small></p></body></html>',
            subtype="html",
        )
        mail["List-Unsubscribe"] = f"<{self._site}/api/mail/{token}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        return mail

    def _send(self, mail: EmailMessage) -> None:
        task = asyncio.create_task(self._mailer.send(mail))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()


def new_mail(address: str, subject: str, text: str) -> EmailMessage:
    mail = EmailMessage()
    mail["To"] = address
    mail["Subject"] = subject
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(text)
    return mail
