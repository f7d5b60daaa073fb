"""GCG, the file format of Scrabble programs: write a match, and read a file as a replay.

A line that begins with `#` describes the game; one with `>` is a turn or its consequence:

    #player1 alice Alice Martin
    #player2 bob Bob
    >alice: ?AEMOST 8H MOTS +10 10
    >bob: AEIKRSZ 9K KZ +31 31
    >bob: AEIKRSZ --  -31 0
    >alice: ?AEINRU K8 .AiRE +8 18
    >bob: AEIKRSZ (challenge) -10 -10
    >bob: AEIKRSZ -KZ +0 -10
    >alice: EU - +0 18
    >bob: AEI (AEI) -3 -13
    >alice: EU (EU) -2 16

GCG uses numbers for rows and letters for columns, the opposite of French players: our `H12` is its `8L`, and our `12H`
its `L8`. A dot is a letter that was already there. The first player is the one who began. A file gives the rack of a
player only at that player's turns, so a replay takes the tiles from there; tiles that never appear stay in the bag. The
words are not checked against a lexicon, because the game has already been played. Points for a contest or for time by
other rules, `(challenge) +5` or `(time) -10`, count as in the file, and the replay carries a remark about them. The
tiles left at the end count as in the file too: with English rules, `(EU) +4` pays the player who went out twice their
value. The replay names that rule (`FileScore`).

Other programs also write `+-4` for -4, `-- +0 59` for a play that was taken back, a pass after the last play, and
placeholders such as `???????` or `UNKNOWN` for a rack that nobody saw.
"""

from __future__ import annotations

from .gcg_reading import read
from .gcg_writing import write


class Gcg:
    """GCG as a format of the game's package."""

    write = staticmethod(write)
    read = staticmethod(read)
