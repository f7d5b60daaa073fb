"""The compiler of kernels: each function is translated once, and a program holds everything below it."""

import gc
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from numba import njit

from tablee.core.jit import ProgramLibrary, kernel_function
from tablee.core.machine import compiled, lean, popcount

uncached = partial(kernel_function, cache=False, error_model="numpy")


@uncached
def add(a, b, c=100):
    return a + b + c


@uncached
def fill(numbers, value):
    for at in range(numbers.size):
        numbers[at] = add(value, at)
    return numbers.sum()


def parts_of(function):
    return function._compiler.parts


def test_a_function_is_translated_once_for_all_constants():
    @uncached
    def sums():
        return add(1, 2) + add(3, 4, 5) + add(a=6, b=7, c=8) + add(9, c=10, b=11)

    assert sums() == 103 + 12 + 21 + 30
    arguments = [tuple(map(str, types)) for types in parts_of(add)]
    assert sorted(arguments) == [("int64", "int64", "int64"), ("int64", "int64", "omitted(default=100)")]


def test_only_what_python_calls_becomes_machine_code():
    @uncached
    def below(n):
        return n + 1

    @uncached
    def above(n):
        return below(below(n))

    assert above(3) == 5
    assert len(above.signatures) == 1
    assert below.signatures == []
    assert below(7) == 8
    assert len(below.signatures) == len(parts_of(below)) == 1


def test_arrays_are_changed_and_every_type_has_its_own_program():
    whole, real = np.zeros(3, np.int64), np.zeros(3)
    assert fill(whole, 5) == 318
    assert whole.tolist() == [105, 106, 107]
    assert fill(real, 0.5) == 304.5
    assert len(fill.signatures) == 2


def test_a_function_may_call_itself_also_with_constants():
    @uncached
    def fibonacci(n):
        if n < 2:
            return n
        return fibonacci(n - 1) + fibonacci(n - 2) + 0 * fibonacci(1)

    assert [fibonacci(n) for n in range(10)] == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]


def test_two_functions_that_call_each_other_are_refused():
    @uncached
    def is_even(n):
        return n == 0 or is_odd(n - 1)

    @uncached
    def is_odd(n):
        return n != 0 and is_even(n - 1)

    with pytest.raises(NotImplementedError, match="is_even or a function below it calls another one that calls it"):
        is_even(2)


def test_an_error_deep_inside_reaches_python():
    @uncached
    def refuse(n):
        if n > 2:
            raise ValueError("too many")
        return n

    @uncached
    def ask(n):
        return refuse(n) + refuse(1)

    assert ask(2) == 3
    with pytest.raises(ValueError, match="too many"):
        ask(3)


def test_functions_of_plain_numba_can_call_kernels():
    @njit
    def outer(n):
        return add(n, 1) + popcount(n)

    assert outer(7) == 111


def test_functions_with_and_without_counted_arrays_work_together():
    @lean
    def first(numbers):
        return numbers[0]

    @compiled
    def made(n):
        return first(np.full(3, n)) + first(np.ones(2))

    assert made(4) == 5.0


def test_the_types_of_arguments_can_be_wrong():
    with pytest.raises(Exception, match="No implementation of function"):
        fill(np.zeros(3, np.int64), "five")
    assert fill(np.zeros(1, np.int64), 1) == 101


def test_the_garbage_collector_runs_again_after_compiling():
    @uncached
    def one():
        return 1

    assert gc.isenabled()
    assert one() == 1
    assert gc.isenabled()


MODULE = """
from tablee.core.machine import compiled

@compiled
def inner(n):
    if n < 0:
        raise ValueError("below zero")
    return n * n

@compiled
def outer(n):
    return inner(n) + inner(2)
"""
RUN = """
import sys
sys.path.insert(0, {folder!r})
import squares
try:
    squares.outer(-1)
except ValueError as error:
    print(squares.outer(5), error, sum(squares.outer.stats.cache_hits.values()), len(squares.inner._compiler.parts))
"""


def test_another_process_loads_the_program_without_translating(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "squares.py").write_text(MODULE)
    command = [sys.executable, "-c", RUN.format(folder=str(tmp_path))]
    found = [subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(2)]
    assert found == ["29 below zero 0 1\n", "29 below zero 1 0\n"]
    kept = list((tmp_path / "cache").rglob("*.nbc"))
    assert [path.name.split("-")[0] for path in kept] == ["squares.outer"]


def test_the_cache_has_no_code_for_linking():
    assert fill(np.zeros(2, np.int64), 1) == 203
    for overload in fill.overloads.values():
        assert isinstance(overload.library, ProgramLibrary)
        kept = str(overload.library._get_module_for_linking())
        assert "cpython" in kept
        assert "add" not in kept
