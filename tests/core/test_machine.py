"""Kernels that call functions of other kernels."""

import sys
from importlib import import_module, invalidate_caches

CALLEE = "from tablee.core.machine import compiled\n\n@compiled\ndef one():\n    return {}\n"
CALLER = """
from tablee.core.machine import compiled, follow
import callee_kernel
from callee_kernel import one

@compiled
def two():
    return one() + one()

follow(globals(), callee_kernel.__file__)
"""


def test_a_cached_kernel_follows_the_source_of_another_one(tmp_path, monkeypatch):
    """Numba alone would go on with the old code of the callee."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "caller_kernel.py").write_text(CALLER)
    found = []
    for value in (1, None, 20):
        if value:
            (tmp_path / "callee_kernel.py").write_text(CALLEE.format(value))
        for name in ("callee_kernel", "caller_kernel"):
            sys.modules.pop(name, None)
        invalidate_caches()
        two = import_module("caller_kernel").two
        found.append((two(), sum(two.stats.cache_hits.values())))
    for name in ("callee_kernel", "caller_kernel"):
        del sys.modules[name]
    assert found == [(2, 0), (2, 1), (40, 0)]
