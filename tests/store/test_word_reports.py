"""Reported words, on both databases."""

from tablee.store import Store
from tablee.store.word_reports import WordReports


async def add(reports: WordReports, word: str, wanted: bool = True, at: float = 1.0) -> bool:
    return await reports.add("scrabble", "francais", word, wanted, "francais:01", at)


async def test_reports_of_one_word_are_counted(store: Store) -> None:
    reports = store.word_reports
    for word in ("ZUT", "OIE", "ZUT"):
        assert await add(reports, word)
    assert [(row.word, row.reports, row.status) for row in await reports.latest(10)] == [
        ("ZUT", 2, "open"),
        ("OIE", 1, "open"),
    ]
    assert [row.word for row in await reports.latest(1)] == ["ZUT"]


async def test_a_decision_is_kept_and_contradicts_the_opposite(store: Store) -> None:
    reports = store.word_reports
    await add(reports, "ZUT", wanted=True)
    await add(reports, "ZUT", wanted=False)
    await add(reports, "OIE", wanted=False)
    assert await reports.decide("scrabble", "francais", "ZUT", True, accepts=True)
    assert await reports.accepted() == {("scrabble", "francais"): {"ZUT": True}}
    assert [row.word for row in await reports.latest(10)] == ["OIE"]
    assert await reports.decide("scrabble", "francais", "ZUT", False, accepts=True)
    assert await reports.decide("scrabble", "francais", "OIE", False, accepts=False)
    assert await reports.accepted() == {("scrabble", "francais"): {"ZUT": False}}
    await add(reports, "OIE", wanted=False)
    assert await reports.latest(10) == []
    assert not await reports.decide("scrabble", "club", "ZUT", True, accepts=True)


async def test_open_reports_are_limited(store: Store, monkeypatch) -> None:
    monkeypatch.setattr("tablee.store.word_reports.MOST_OPEN", 2)
    assert [await add(store.word_reports, word) for word in ("AA", "BB", "CC", "AA")] == [True, True, False, True]
