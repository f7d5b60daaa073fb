"""The wheel holds the client and serves it."""

import os
import re
import signal
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import httpx
import pytest
from live import PATIENCE, LiveServer, wait_until

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


@pytest.mark.soak
@pytest.mark.timeout(1800)  # it downloads and installs every package
def test_a_fresh_environment_starts_the_site_with_one_command(wheel: Path, tmp_path: Path) -> None:
    """As `pipx run tablee` and `uvx tablee` do: an empty environment, the wheel, one command."""
    venv.create(tmp_path / "venv", with_pip=True)
    binaries = tmp_path / "venv" / "bin"
    install = [str(binaries / "python"), "-m", "pip", "install", "--quiet", str(wheel)]
    made = subprocess.run(install, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "share")}
    with (tmp_path / "log").open("wb") as log:
        command = [str(binaries / "tablee"), "--no-browser"]
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=tmp_path)
    try:
        wait_until(lambda: "Ctrl-C" in (tmp_path / "log").read_text() or process.poll() is not None)
        said = (tmp_path / "log").read_text()
        address = re.search(r"http://127\.0\.0\.1:\d+", said)
        assert address is not None, said
        assert "<title>" in httpx.get(address[0], timeout=PATIENCE).text
        assert (tmp_path / "share" / "tablee" / "tablee.db").exists()
        doctor = [str(binaries / "tablee"), "doctor", "--data", str(tmp_path / "share" / "tablee")]
        checked = subprocess.run([*doctor, "--port", address[0].rpartition(":")[2]], env=environment, check=False)
        assert checked.returncode == 0
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
