"""The HTTP API of bots: the owner's bots and tokens, the connected bots, and challenges."""

from __future__ import annotations

from typing import Annotated

from litestar import delete, get, patch, post
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import UNSET

from . import account
from .bodies import Done
from .bot_bodies import BotCard, ChallengeInfo, ChangeBot, MadeToken, NewBot, NewChallenge, NewToken
from .bot_values import BotInfo, MyBots
from .dependencies import REFUSED, TOO_LARGE, TOO_MANY, UNKNOWN, ApiRequest, address_of, house_of, person_of
from .house import House

ERRORS = REFUSED | TOO_LARGE | UNKNOWN | TOO_MANY


def counted(request: ApiRequest) -> House:
    """Count a request against its address, and return the house."""
    house = house_of(request)
    house.bot_requests.demand(address_of(request))
    return house


@get("/me/bots", responses=REFUSED)
async def my_bots(request: ApiRequest) -> MyBots:
    """List your bots and your tokens; a token itself is shown only when it is made."""
    return await house_of(request).bot_pages.mine(person_of(request))


@post("/me/bots", responses=ERRORS)
async def create_bot(request: ApiRequest, data: JSONBody[NewBot]) -> BotInfo:
    """Make a bot account. It is marked as a bot everywhere and never rated."""
    return await counted(request).bot_pages.create(person_of(request), data.name)


@patch("/me/bots/{id:str}", responses=ERRORS)
async def change_bot(request: ApiRequest, id: FromPath[str], data: JSONBody[ChangeBot]) -> BotInfo:
    """Change the name or the avatar of a bot of yours."""
    name = None if data.name is UNSET else data.name
    avatar = None if data.avatar is UNSET else data.avatar
    return await counted(request).bot_pages.change(person_of(request), id, name=name, avatar=avatar)


@delete("/me/bots/{id:str}", status_code=200, responses=ERRORS)
async def erase_bot(request: ApiRequest, id: FromPath[str]) -> Done:
    """Erase a bot of yours as an account is erased, with its tokens."""
    house = house_of(request)
    house.searches.demand(address_of(request))
    await house.bot_pages.demand_owned(person_of(request), id)
    await account.erase(house, id)
    return Done()


@post("/me/tokens", responses=ERRORS)
async def create_token(request: ApiRequest, data: JSONBody[NewToken]) -> MadeToken:
    """Make a token: for a bot, it plays; without one, it reads what you can read."""
    return await counted(request).bot_pages.make_token(person_of(request), data)


@delete("/me/tokens/{id:str}", status_code=200, responses=ERRORS)
async def revoke_token(request: ApiRequest, id: FromPath[str]) -> Done:
    """Revoke a token; its connections close."""
    await counted(request).bot_pages.revoke(person_of(request), id)
    return Done()


@get("/bots", responses=REFUSED | TOO_MANY)
async def list_bots(request: ApiRequest, game: Annotated[str, QueryParameter(max_length=32)]) -> list[BotCard]:
    """List the connected bots that can be invited to a game."""
    return await counted(request).bot_pages.listed(game)


@post("/tables/{code:str}/challenges", responses=ERRORS)
async def challenge_bot(request: ApiRequest, code: FromPath[str], data: JSONBody[NewChallenge]) -> ChallengeInfo:
    """Invite a bot to a free seat of your table."""
    return await counted(request).challenges.challenge(person_of(request), code, data.bot, data.seat)


@get("/challenges/{id:str}", responses=REFUSED | UNKNOWN)
async def show_challenge(request: ApiRequest, id: FromPath[str]) -> ChallengeInfo:
    """Show what became of a challenge of yours."""
    desk = house_of(request).challenges
    return await desk.info(await desk.seen_challenge(person_of(request), id))


@delete("/challenges/{id:str}", status_code=200, responses=ERRORS)
async def withdraw_challenge(request: ApiRequest, id: FromPath[str]) -> ChallengeInfo:
    """Withdraw a challenge of yours that the bot has not answered."""
    return await counted(request).challenges.withdraw(person_of(request), id)


bots_api = [
    my_bots,
    create_bot,
    change_bot,
    erase_bot,
    create_token,
    revoke_token,
    list_bots,
    challenge_bot,
    show_challenge,
    withdraw_challenge,
]
