"""The studies of Scrabble for the analysis page."""

from __future__ import annotations

from typing import Any

from ...core.study import Study
from .analysis import PlaysAnswer, PlaysQuestion, find_plays
from .finder import AnagramsAnswer, AnagramsQuestion, HooksAnswer, HooksQuestion, find_anagrams, find_hooks
from .gcg_studies import ExportAnswer, ExportQuestion, OpenAnswer, OpenQuestion, export_file, open_file
from .simulation import SimulateAnswer, SimulateQuestion, simulate

STUDIES: dict[str, Study[Any]] = {
    "plays": Study(PlaysQuestion, PlaysAnswer, find_plays),
    "simulate": Study(SimulateQuestion, SimulateAnswer, simulate),
    "anagrams": Study(AnagramsQuestion, AnagramsAnswer, find_anagrams),
    "hooks": Study(HooksQuestion, HooksAnswer, find_hooks),
    "open": Study(OpenQuestion, OpenAnswer, open_file),
    "export": Study(ExportQuestion, ExportAnswer, export_file),
}
