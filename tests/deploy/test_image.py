"""The Dockerfile's steps build an image that serves, as an ordinary user and with nothing but its own files.

`make test` replaces the steps that download packages: it takes the same versions from the tests' own environment.
`make soak` runs every step.
"""

import re
import shutil
import signal
import subprocess
import sys
import time
from importlib.metadata import distribution
from pathlib import Path

import container
import httpx
import pytest
from dockerfile import Build, Image, read
from live import PATIENCE, LiveServer, Person
from nats_server import NatsServer
from packaging.requirements import Requirement

pytestmark = pytest.mark.xdist_group("image")  # built once

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src/tablee/server/static"
LARGEST = 297_000_000  # docs/hosting.md says 295 MB; versions of Python differ a little
EVERY_MODULE = """
import importlib, pkgutil, tablee
names = [module.name for module in pkgutil.walk_packages(tablee.__path__, "tablee.")]
names.remove("tablee.terminal.app")  # it needs Textual, which a server does not
for name in names:
    # PettingZoo is an extra, which the image does not have.
    if ".template" not in name and not name.endswith(("__main__", ".pettingzoo_env")):
        importlib.import_module(name)
print(len(names), "modules")
"""


def steps(name: str) -> list[str]:
    stage = next(stage for stage in read((ROOT / "Dockerfile").read_text()) if stage.name == name)
    return [text for instruction, text in stage.steps if instruction == "RUN"]


def install_from_here(folder: Path) -> None:
    """Copy the packages of requirements.lock from this environment, in the versions that it names."""
    for line in (folder / "requirements.lock").read_text().splitlines():
        if not line or line.startswith((" ", "#")):
            continue
        wanted = Requirement(line.removesuffix(" \\"))
        if wanted.marker and not wanted.marker.evaluate():
            continue
        found = distribution(wanted.name)
        assert found.version in wanted.specifier, f"requirements.lock has {wanted}: run make .venv/ready-dev"
        for file in found.files or []:
            if ".." not in file.parts and file.suffix != ".pyc":
                target = folder / "packages" / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(Path(str(found.locate_file(file))), target)


def quick_build(work: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    ready, built = steps("client")
    install, *_ = steps("build")
    assert ready.startswith("npm ci")
    assert built.startswith("npm run build")
    assert install.endswith("--requirement requirements.lock")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_NO_BUILD_ISOLATION", "0")  # pip reads this as "without isolation"
    instead = {
        ready: lambda folder: None,
        built: lambda folder: shutil.copytree(STATIC, folder.parent / "src/tablee/server/static"),
        install: install_from_here,
    }
    return Build(ROOT, work, {"python": Path(sys.executable).parent}, instead)


def full_build(work: Path) -> Build:
    """Every step, with a new environment for Python and the Node.js that `make` uses."""
    python, node = work / "python", work / "node"
    subprocess.run([Path(sys.executable).resolve(), "-m", "venv", python], check=True)
    ask = [str(ROOT / "scripts/npm"), "exec", "-c", 'echo "$npm_node_execpath" "$npm_execpath"']
    program, npm = subprocess.run(ask, cwd=work, check=True, capture_output=True, text=True).stdout.split()
    node.mkdir()
    (node / "node").symlink_to(program)
    (node / "npm").write_text(f'#!/bin/sh\nexec "{program}" "{npm}" "$@"\n')
    (node / "npm").chmod(0o755)
    return Build(ROOT, work, {"python": python / "bin", "node": node})


@pytest.fixture(
    scope="module", params=["quick", pytest.param("full", marks=[pytest.mark.soak, pytest.mark.timeout(1800)])]
)
def image(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):
    work = tmp_path_factory.mktemp("image")
    for folder in (work, work.parent, work.parent.parent):
        folder.chmod(folder.stat().st_mode | 0o011)  # the container's user has to reach its files
    with pytest.MonkeyPatch.context() as monkeypatch:
        built = (quick_build(work, monkeypatch) if request.param == "quick" else full_build(work)).run()
    container.prepare(built)
    if reason := container.why_not(built):
        pytest.skip(reason)
    yield built
    shutil.rmtree(work)


class Container(LiveServer):
    """The image's own command, on a free port of this machine alone."""

    def __init__(self, image: Image, folder: Path, **variables: str) -> None:
        super().__init__(folder)
        self.image = image
        self.variables = variables

    def here(self, command: list[str]) -> list[str]:
        return [word.replace("8000", str(self.port)).replace("0.0.0.0", "127.0.0.1") for word in command]

    def start(self) -> LiveServer:
        command = [*self.image.entrypoint, *self.here(self.image.command), "--workers", "1", "--bot-pause", "0"]
        self.process = container.start(self.image, command, self.log, **self.variables)
        end = time.monotonic() + PATIENCE
        while not self.is_healthy():
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < end, self.log.read_text()
        return self

    def is_healthy(self) -> bool:
        """Run the image's health check."""
        with container.start(self.image, self.here(self.image.health)) as check:
            check.communicate()
        return check.returncode == 0


def files_of(image: Image) -> dict[Path, int]:
    """Return the files outside the folders in which a container may write, with the time of their last change."""
    writable = (image.root / "tmp", image.root / "dev", image.root / image.environment["TABLEE_DATA"].lstrip("/"))
    kept = (path for path in image.files() if not any(path.is_relative_to(folder) for folder in writable))
    return {path: path.stat().st_mtime_ns for path in kept}


def test_the_image_is_as_small_as_the_page_says(image):
    if shutil.which("strip") is None:
        pytest.skip("there is no strip here, so the image keeps the symbols of its libraries")
    assert image.size < LARGEST, f"{image.size / 1e6:.1f} MB"


def test_every_module_finds_its_packages_in_the_image(image):
    """The image leaves out packages that Tablée does not import."""
    text = container.run(image, "/usr/local/bin/python3", "-c", EVERY_MODULE)
    assert int(re.findall(r"(\d+) modules", text)[0]) > 100


def test_a_container_serves_and_its_bots_play(image, tmp_path):
    """A strong bot needs Numba's compiler, a cache folder, shared memory and a process of its own."""
    assert image.user != 0
    before = files_of(image)
    server = Container(image, tmp_path)
    assert not server.is_healthy()
    server.start()
    try:
        assert "<title>" in httpx.get(server.url).text
        person = Person(server)
        line = person.open(person.create("dames", bots=["difficile"], start=True))
        line.expect("state")
        if offer := line.latest["offer"]:
            line.ask("act", offer=offer["number"], action=offer["legal"][0])
        line.expect("moved")
        metrics = person.http.get("/api/admin/metrics", headers={"authorization": f"Bearer {token(server)}"}).text
        assert "tablee" in metrics
    finally:
        assert server.stop() in (0, -signal.SIGTERM), server.log.read_text()
    assert files_of(image) == before
    assert "Traceback" not in server.log.read_text()


def test_two_containers_share_a_database_and_a_bus(image, tmp_path, postgres_url):
    """The drivers of PostgreSQL and NATS find their libraries in the image."""
    nats = NatsServer(tmp_path / "nats").start()
    shared = {"TABLEE_DATABASE": postgres_url, "TABLEE_BUS": nats.url, "TABLEE_WARM_UP": "false"}
    data = image.environment["TABLEE_DATA"]
    servers = [Container(image, tmp_path / name, TABLEE_DATA=f"{data}/{name}", **shared) for name in ("one", "two")]
    try:
        for server in servers:
            server.start()
        code = Person(servers[0]).create()
        assert Person(servers[1]).open(code).expect("table")["code"] == code
    finally:
        for server in servers:
            server.stop()
        nats.stop()
    assert [server.log.read_text() for server in servers if "Traceback" in server.log.read_text()] == []


def token(server: LiveServer) -> str:
    return re.findall(r"/admin#(\S+)", server.log.read_text())[0]
