"""The kernel agrees with the rules on plays, scores and the best play."""

import random
from functools import cache

import numpy as np
import pytest

from tablee.games.scrabble import kernel, leaves
from tablee.games.scrabble.board import ALL_TILES, EMPTY_BOARD, VALUES, put, tiles_of, without
from tablee.games.scrabble.engine import Engine
from tablee.games.scrabble.graph import build, graph_for
from tablee.games.scrabble.lexicon import Lexicon, default_ref, lexicon, own_folder
from tablee.games.scrabble.movegen import plays
from tablee.games.scrabble.scoring import score_play

POSITIONS = 2500
"""The number of positions with small lexicons, for which the rules are fast."""
FULL_POSITIONS = 25


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Return small lexicons with some words of the shipped one, more often short ones."""
    folder = tmp_path_factory.mktemp("data")
    patch = pytest.MonkeyPatch()
    patch.setenv("TABLEE_DATA", str(folder))
    dice = random.Random(3)
    shipped = lexicon().words
    found = []
    for number, (size, longest) in enumerate([(60, 4), (400, 5), (1500, 15), (3000, 7)]):
        words = Lexicon(f"small{number}", dice.sample([word for word in shipped if len(word) <= longest], size))
        words.write(own_folder())
        found.append((words.ref, Engine(words, build(words))))
    yield found
    patch.undo()


@cache
def some_likes(seed):
    """Return random values of keeping tiles."""
    dice = np.random.default_rng(seed)
    likes = dice.integers(-6000, 9000, size=kernel.LIKES)
    pairs = likes[kernel.PAIR : kernel.BALANCE].reshape(27, 27)
    pairs[:] = np.triu(pairs) + np.triu(pairs, 1).T
    return likes


def worth_keeping(likes, tiles):
    """Compute the value of tiles by definition: tiles, pairs and balance, in thousandths of a point."""
    codes = [kernel.TILES.index(tile) for tile in tiles]
    pairs = sum(likes[kernel.PAIR + 27 * codes[one] + codes[two]] for one in range(len(codes)) for two in range(one))
    vowels = sum(tile in "AEIOUY" for tile in tiles)
    consonants = sum(tile not in "AEIOUY?" for tile in tiles)
    return int(sum(likes[code] for code in codes) + pairs + likes[kernel.BALANCE + 8 * vowels + consonants])


def positions(ref, dice, count):
    """Yield boards of random games, with racks of all sizes and many jokers."""
    while True:
        bag, board = dice.sample(ALL_TILES, len(ALL_TILES)), EMPTY_BOARD
        while len(bag) >= 7:
            rack = "".join(sorted(bag.pop() for _ in range(7 if dice.random() < 0.7 else dice.randint(1, 6))))
            if dice.random() < 0.25:
                rack = "".join(sorted("?" + rack[1:]))
            yield board, rack
            count -= 1
            if count == 0:
                return
            options = plays(board, rack, ref)
            if not options and dice.random() < 0.1:
                break
            if options:
                play = dice.choice(options)
                board = put(board, play.at, score_play(board, play.at, play.word).tiles)


def compare(ref, engine, board, rack, likes):
    """Compare the kernel's plays and its best play with those of the rules."""
    where = f"{ref}: {board} {rack}"
    engine.set_board(board)
    engine.set_rack(rack, likes)
    found = {}
    for option in engine.all_plays():
        place = engine.place(option.play)
        assert place not in found, where
        found[place] = option.score
    scored = {place: score_play(board, place.at, place.word) for place in plays(board, rack, ref)}
    assert found == {place: play.score for place, play in scored.items()}, where
    values = {
        place: 1000 * play.score + worth_keeping(likes, without(rack, tiles_of(play.tiles)))
        for place, play in scored.items()
    }
    best = engine.best_play()
    assert bool(best) == bool(values), where
    if best:
        assert values[engine.place(best)] == max(values.values()) == engine.search[kernel.BEST], where
        assert engine.search[kernel.FOUND_SCORE] == scored[engine.place(best)].score, where


def test_plays_scores_and_the_best_play_agree_with_the_rules(small):
    dice = random.Random(5)
    for number, (ref, engine) in enumerate(small):
        for board, rack in positions(ref, dice, POSITIONS // len(small)):
            compare(ref, engine, board, rack, some_likes(number))


def test_they_agree_with_the_shipped_lexicon(small):
    engine = Engine(lexicon())
    for board, rack in positions(default_ref(), random.Random(6), FULL_POSITIONS):
        compare(default_ref(), engine, board, rack, leaves.likes_of(default_ref()))


def test_they_agree_with_two_jokers(small):
    ref, engine = small[2]
    for board, _ in positions(ref, random.Random(7), 30):
        compare(ref, engine, board, "??AERT", some_likes(1))


def test_they_agree_on_a_board_with_invalid_words(small):
    """Uncontested invalid words stay on the board; a play through them must still form valid words."""
    ref, engine = small[3]
    dice = random.Random(8)
    for _ in range(60):
        board = list(EMPTY_BOARD)
        for square in dice.sample(range(225), 30):
            board[square] = dice.choice("EASTRIzq")
        compare(ref, engine, "".join(board), "".join(sorted(dice.sample(ALL_TILES, 7))), some_likes(2))


def test_playing_on_a_board_equals_setting_it_up(small):
    _, engine = small[3]
    dice = random.Random(9)
    for _ in range(15):
        board, bag = EMPTY_BOARD, dice.sample(ALL_TILES, len(ALL_TILES))
        engine.set_board(board)
        played = engine.board.copy()
        while len(bag) >= 7:
            rack = "".join(bag.pop() for _ in range(7))
            engine.set_board(board)
            assert (engine.board == played).all(), board
            engine.set_rack(rack, some_likes(0))
            options = engine.all_plays()
            if options:
                option = dice.choice(options)
                place = engine.place(option.play)
                kernel.lay(engine.graph, played, option.play)
                board = put(board, place.at, score_play(board, place.at, place.word).tiles)


def follow(graph, root, path):
    """Return the node after a path in the graph, or 0; ^ is the separator."""
    node = int(graph[root])
    for letter in path:
        code = kernel.SEPARATOR if letter == "^" else kernel.TILES.index(letter)
        if not node >> code & 1:
            return 0
        node = int(kernel.child(graph, node, code))
    return node


def test_the_graph_has_every_word_from_every_letter_and_no_other():
    dice = random.Random(10)
    words = [*dice.sample(lexicon().words, 2000), "ABCDEFGHIJKLMNO", "ABCDEFGHIJKLMNP", "BCDEFGHIJKLMNO", "AA"]
    graph = build(Lexicon("essai", words))
    known = set(words)
    for word in words:
        changed = list(word)
        changed[dice.randrange(len(word))] = dice.choice("AEIRSTZ")
        for tried in (word, word[:-1], "".join(changed)):
            is_known = tried in known
            assert bool(follow(graph, kernel.DAWG, tried) & kernel.ENDS) == is_known
            for at in range(1, len(tried) + 1):
                path = tried[:at][::-1] + ("^" + tried[at:] if at < len(tried) else "")
                assert bool(follow(graph, kernel.GADDAG, path) & kernel.ENDS) == is_known, path


def test_a_graph_is_built_once_and_mapped(tmp_path, monkeypatch):
    monkeypatch.setenv("TABLEE_CACHE", str(tmp_path))
    words, ticks = Lexicon("essai", ["AS", "OS"]), []
    made = graph_for(words, tick=lambda: ticks.append(1))
    assert len(ticks) == 4
    assert isinstance(made, np.memmap)
    again = graph_for(words, tick=lambda: pytest.fail("made twice"))
    assert (made == again).all()
    [file] = tmp_path.glob("*.npy")
    file.unlink()
    file.write_bytes(b"damaged")
    assert (graph_for(words) == made).all()


def test_a_graph_is_built_without_a_cache(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TABLEE_CACHE", str(tmp_path / "file"))
    graph = graph_for(Lexicon("essai", ["AS", "OS"]))
    assert follow(graph, kernel.DAWG, "OS") & kernel.ENDS


def test_a_lexicon_without_words_has_no_plays():
    words = Lexicon("vide", [])
    engine = Engine(words, build(words))
    engine.set_board(EMPTY_BOARD)
    engine.set_rack("AEIRST?", some_likes(0))
    assert engine.all_plays() == []
    assert engine.best_play() == 0


def test_self_play_games_are_complete(small):
    engine = Engine(lexicon())
    likes = leaves.likes_of(default_ref())
    turns, totals = engine.play_games(likes, np.zeros_like(likes), 10, np.array([4]))
    assert 10 * 15 < turns < 10 * 40
    assert totals[0] > totals[1] > 10 * 300
    again, same = engine.play_games(likes, np.zeros_like(likes), 10, np.array([4]))
    assert (again, same.tolist()) == (turns, totals.tolist())


def test_the_regression_finds_the_value_of_tiles():
    """If the score of a rack is the sum of its parts, the regression recovers the parts."""
    dice = np.random.default_rng(1)
    worth = {kernel.TILES.index("S"): 4.0, kernel.TILES.index("Q"): -6.0, kernel.PAIR + 27 * 16 + 20: 10.0}
    sums, products = np.zeros(kernel.LIKES + 2), np.zeros((kernel.LIKES, kernel.LIKES))
    for _ in range(20_000):
        part = sorted(dice.choice([0, 4, 16, 18, 20], size=dice.integers(0, 5)).tolist())
        there = [*part, *(kernel.PAIR + 27 * part[a] + part[b] for b in range(len(part)) for a in range(b))]
        vowels = sum(kernel.VOWELS >> tile & 1 for tile in part)
        there.append(kernel.BALANCE + 8 * vowels + len(part) - vowels)
        brought = 30 + sum(worth.get(one, 0.0) for one in there) + dice.normal()
        sums[kernel.LIKES] += brought
        sums[kernel.LIKES + 1] += 1
        np.add.at(sums, there, brought)
        np.add.at(products, tuple(np.array([(a, b) for a in there for b in there]).T), 1)
    likes = leaves.regress(sums, products)
    keep = {tiles: worth_keeping(likes, tiles) / 1000 for tiles in ("", "S", "Q", "A", "U", "QU", "SS")}
    assert keep["S"] - keep["A"] == pytest.approx(4, rel=0.25)
    assert keep["SS"] - keep["A"] == pytest.approx(8, rel=0.25)
    assert keep["Q"] - keep["A"] == pytest.approx(-6, rel=0.25)
    assert keep["QU"] - keep["Q"] - keep["U"] + keep[""] == pytest.approx(10, rel=0.25)


def test_leaves_are_estimated_written_and_read(small, tmp_path):
    _, engine = small[2]
    likes, racks = leaves.estimate(engine, games=3)
    assert racks > 100
    path = leaves.path_in(tmp_path, "essai:00")
    leaves.write(path, "essai:00", likes, 3, racks, 1)
    assert (leaves.read(path) == likes).all()


def test_the_shipped_leaves_agree_with_players(small):
    likes = leaves.likes_of(default_ref())
    worth = {tiles: worth_keeping(likes, tiles) for tiles in ("?", "S", "Z", "Q", "W", "QU", "ER", "UU", "UUU")}
    assert worth["?"] > worth["S"] > 0 > worth["Q"]
    assert worth["QU"] > worth["Q"]
    assert worth["ER"] > 0 > worth["UU"] > worth["UUU"]
    assert leaves.likes_of(small[0][0]).tolist() == likes.tolist()


def last_gain(board, mine, theirs, passed, ref):
    """Return the gain of the side to move until the end, by trying everything with the rules."""
    gains = [gain_by(board, mine, theirs, place, ref) for place in plays(board, mine, ref)]
    return max([gain_by_passing(board, mine, theirs, passed, ref), *gains])


def gain_by_passing(board, mine, theirs, passed, ref):
    if passed:
        return worth(theirs) - worth(mine)
    return -last_gain(board, theirs, mine, True, ref)


def gain_by(board, mine, theirs, place, ref):
    play = score_play(board, place.at, place.word)
    left = without(mine, tiles_of(play.tiles))
    if not left:
        return play.score + 2 * worth(theirs)
    return play.score - last_gain(put(board, place.at, play.tiles), theirs, left, False, ref)


def worth(rack):
    return sum(VALUES[tile] for tile in rack)


def last_racks(ref, dice, count):
    """Yield boards that are neither empty nor full, with two small racks."""
    for board, _ in positions(ref, dice, count):
        if 150 < board.count(".") < 205:
            tiles = dice.sample("EASINTRLOU??", 6)
            size = dice.choice([2, 3, 3, 3, 4])
            yield board, "".join(sorted(tiles[:size])), "".join(sorted(tiles[size:]))


def test_an_endgame_is_solved_exactly(small):
    """The value agrees with brute force, the play reaches it, and the stored positions are correct."""
    ref, engine = small[1]
    solved, jokers = set(), set()
    for board, mine, theirs in last_racks(ref, random.Random(11), 250):
        engine.set_board(board)
        solution = engine.solve(mine, theirs, some_likes(0), float("inf"))
        assert solution.exact
        if solution.play:
            gain = gain_by(board, mine, theirs, engine.place(solution.play), ref)
        else:
            gain = gain_by_passing(board, mine, theirs, False, ref)
        assert solution.value == gain == last_gain(board, mine, theirs, False, ref), f"{board} {mine} {theirs}"
        solved.add(solution.value)
        jokers.add((mine.count("?"), theirs.count("?")))
    assert len(solved) > 20
    assert jokers == {(0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (2, 0)}


def test_an_endgame_without_time_or_space_gives_a_legal_play(small, monkeypatch):
    """Wherever the search is stopped, it has a legal play."""
    ref, engine = small[1]
    unsolved = 0
    whole = engine.solve("A", "E", some_likes(0), float("inf")) and engine._solver.room
    for number, (board, mine, theirs) in enumerate(last_racks(ref, random.Random(12), 150)):
        ticks = iter(range(1000))
        monkeypatch.setattr("tablee.games.scrabble.endgame.perf_counter", lambda ticks=ticks: next(ticks))
        monkeypatch.setattr("tablee.games.scrabble.endgame.SLICE", 1 + number % 3)
        few = np.zeros(5 + 2 * number, np.int64)
        engine._solver.room = whole._replace(plays=few, facts=few.copy()) if number % 2 else whole
        whole.memory[:] = 0
        engine.set_board(board)
        solution = engine.solve(mine, theirs, some_likes(0), number % 9)
        assert solution.play == 0 or engine.place(solution.play) in plays(board, mine, ref)
        unsolved += not solution.exact
    engine._solver.room = whole
    assert unsolved > 20


def test_an_endgame_without_time_gives_the_greedy_play(small):
    _, engine = small[3]
    engine.set_board(EMPTY_BOARD)
    solution = engine.solve("AEIRST?", "ELNOTU", some_likes(0), 0.0)
    assert not solution.exact
    engine.set_rack("AEIRST?", some_likes(0), others="ELNOTU")
    assert solution.play == engine.best_play() != 0


def test_a_stopped_search_keeps_the_play_of_the_depth_before(small, monkeypatch):
    """Wherever time runs out, the search replaces its play only by one that it has tried afterwards."""
    ref, engine = small[1]
    whole = engine.solve("A", "E", some_likes(0), float("inf")) and engine._solver.room
    engine._solver.room = whole._replace(memory=np.zeros(kernel.KNOWN << 10, np.int64))
    monkeypatch.setattr("tablee.games.scrabble.endgame.SLICE", 1)
    cut_off = 0
    for board, mine, theirs in last_racks(ref, random.Random(5), 40):
        engine.set_board(board)
        played = []
        for moment in range(80):
            ticks = iter(range(1000))
            monkeypatch.setattr("tablee.games.scrabble.endgame.perf_counter", lambda ticks=ticks: next(ticks))
            engine._solver.room.memory[:] = 0
            solution = engine.solve(mine, theirs, some_likes(0), moment)
            assert solution.value > -kernel.FAR, "worth nothing known: it was not tried"
            played.append(solution.play)
            cut_off += not solution.exact
            if solution.exact:
                break
        if played[0] and played[-1]:
            assert 0 not in played
    engine._solver.room = whole
    assert cut_off > 100
