"""The wheel holds the client and serves it."""

import subprocess
import sys
import zipfile
from pathlib import Path

import httpx
import pytest
from live import LiveServer

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    made = subprocess.run(build, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    return next(out.glob("*.whl"))


def test_a_wheel_contains_the_client_and_runs(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        packed.extractall(tmp_path / "installed")
    assert "tablee/server/static/index.html" in names
    assert not [name for name in names if "test" in name.lower() or "__pycache__" in name]
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "installed"))
    server = LiveServer(tmp_path / "data", "--workers", "1").start()
    try:
        page = httpx.get(server.url).text
        assert "<title>" in page
        assert (tmp_path / "installed" / "tablee/server/static/index.html").read_text() == page
    finally:
        server.stop()
