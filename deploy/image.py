"""Assemble the root file system of the image: Python, its shared libraries, and the installed packages.

    python deploy/image.py PACKAGES ROOT

It moves the folder PACKAGES into the new folder ROOT, and leaves out what a server never reads.

The image starts from nothing, because Numba's compiler alone fills half of 300 MB. Nothing is compiled to byte code
here: Python does that at the first start, into the folder that PYTHONPYCACHEPREFIX names.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

USER = 10001
"""The user of the Dockerfile; nobody on the host has this number."""

UNUSED_MODULES = (
    *("__pycache__", "config-*", "dist-packages", "site-packages"),
    *(
        "distutils",
        "ensurepip",
        "idlelib",
        "lib2to3",
        "pydoc_data",
        "test",
        "tests",
        "tkinter",
        "turtle.py",
        "turtledemo",
    ),
    *("_pydecimal.py", "_pyio.py", "aifc.py", "cgi.py", "cgitb.py", "curses", "ftplib.py", "imaplib.py", "mailbox.py"),
    *("nntplib.py", "smtpd.py", "telnetlib.py", "xmlrpc"),
    *("audioop.*.so", "ossaudiodev.*.so"),
    *("_codecs_*.so", "_multibytecodec.*.so"),
    *("_curses*.so", "_test*.so", "_tkinter*.so", "nis.*.so", "readline.*.so"),
)
"""Parts of the standard library that a server never imports; the modules in C would bring shared libraries along."""

KEPT_ENCODINGS = {"cp1252.py", "cp437.py", "cp850.py", "iso8859_1.py", "iso8859_15.py", "mac_roman.py"}
UNUSED_ENCODINGS = (
    *("big5*", "cp[0-9]*", "euc_*", "gb*", "hp_*", "hz.py", "iso2022*", "iso8859_*", "johab.py", "koi8*", "kz*"),
    *("mac_*", "palmos.py", "ptcp154.py", "shift_jis*", "tis_620.py"),
)
"""Encodings of texts in other languages than those in which somebody may write a French list of words."""

UNUSED_FILES = (
    *("INSTALLER", "RECORD", "REQUESTED"),
    *("__pycache__", "bin", "tests", "_simd.*.so", "_test*.so", "*_tests.*.so"),
    *("*.a", "*.c", "*.cpp", "*.h", "*.hpp", "*.pxd", "*.pyi", "*.pyx"),
    *("omppool.*.so", "tbbpool.*.so"),
    "pyasn1_modules/rfc[2346789]*.py",
)
"""Parts of packages for pip, for their tests, for compilers and type checkers; Numba's threads, which no kernel uses;
and formats other than the certificates of passkeys (RFC 5280)."""

UNUSED_FOLDERS = (
    *(
        "alembic/testing",
        "litestar/testing",
        "numba/cuda",
        "numpy/distutils",
        "numpy/f2py",
        "numpy/fft",
        "numpy/ma",
        "sqlalchemy/testing",
    ),
    *(
        "sqlalchemy/ext/associationproxy.py",
        "sqlalchemy/ext/automap.py",
        "sqlalchemy/ext/declarative",
        "sqlalchemy/ext/horizontal_shard.py",
        "sqlalchemy/ext/hybrid.py",
        "sqlalchemy/ext/mutable.py",
    ),
    *("sqlalchemy/dialects/mssql", "sqlalchemy/dialects/mysql", "sqlalchemy/dialects/oracle"),
    *("sqlalchemy/ext/asyncio", "sqlalchemy/orm"),
    *("websockets/legacy", "websockets/sync", "websockets/trio"),
)
"""Parts of packages for machines, compilers, databases and interfaces that Tablée does not use."""

UNUSED_PACKAGES = {
    "certifi": "Litestar's client for tests, through httpx",
    "cffi": "compiling C code; cryptography needs only its backend",
    "faker": "Litestar's examples in an API schema, through polyfactory",
    "httpcore": "Litestar's client for tests, through httpx",
    "httpx": "Litestar's client for tests",
    "idna": "Litestar's client for tests, through httpx",
    "linkify_it": "the terminal client, through Textual",
    "linkify_it_py": "the terminal client, through Textual",
    "markdown_it": "Markdown that Rich prints",
    "markdown_it_py": "Markdown that Rich prints",
    "mdurl": "Markdown that Rich prints",
    "mdit_py_plugins": "the terminal client, through Textual",
    "platformdirs": "the terminal client, through Textual",
    "polyfactory": "Litestar's examples in an API schema",
    "pycparser": "compiling C code, through cffi",
    "pygments": "colours in source code that Rich and Mako print",
    "rich_click": "Litestar's command line",
    "textual": "the terminal client",
}
"""Packages that others require for a feature that Tablée does not use, and the feature."""

COMMAND = """\
#!/usr/local/bin/python3
from tablee.cli import main

if __name__ == "__main__":  # the processes of bots import this file too
    main()
"""
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")


def assemble(packages: Path, root: Path) -> None:
    root.mkdir()
    library = root / "usr/lib"
    library.mkdir(parents=True)
    for link in ("lib", "lib64"):  # the loader's path is compiled into every program
        (root / link).symlink_to("usr/lib")
    modules = copy_python(root / "usr/local")
    move_packages(packages, modules / "site-packages")
    for path in shared_libraries(root):
        shutil.copy2(path, library / path.name)
    strip(root)
    write_settings(root)


def copy_python(prefix: Path) -> Path:
    """Copy the interpreter and its standard library; return the folder of the latter."""
    modules = prefix / "lib" / f"python{sysconfig.get_python_version()}"
    shutil.copytree(sysconfig.get_path("stdlib"), modules, ignore=shutil.ignore_patterns(*UNUSED_MODULES))
    for path in [path for pattern in UNUSED_ENCODINGS for path in (modules / "encodings").glob(pattern)]:
        if path.name not in KEPT_ENCODINGS:
            path.unlink(missing_ok=True)
    programs = prefix / "bin"
    programs.mkdir()
    python = programs / f"python{sysconfig.get_python_version()}"
    shutil.copy2(Path(sys.executable).resolve(), python)
    for name in ("python", "python3"):
        (programs / name).symlink_to(python.name)
    command = programs / "tablee"
    command.write_text(COMMAND)
    command.chmod(0o755)
    return modules


def move_packages(packages: Path, site: Path) -> None:
    packages.rename(site)
    unused = [path for path in site.iterdir() if distribution_of(path.name) in UNUSED_PACKAGES]
    unused += [site / folder for folder in UNUSED_FOLDERS]
    unused += [path for pattern in UNUSED_FILES for path in site.rglob(pattern)]
    for path in unused:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def distribution_of(name: str) -> str:
    """Return the package that a folder of packages belongs to, from `faker` or `Faker-40.1.dist-info`."""
    return re.sub(r"-[^-]+\.dist-info$", "", name).lower().replace("-", "_")


def shared_libraries(root: Path) -> list[Path]:
    """Return the shared libraries of this system that the programs and modules in `root` load."""
    needed = subprocess.run(["ldd", *map(str, binaries(root))], capture_output=True, text=True).stdout
    loader = re.findall(r"^\s(/\S+) \(0x", needed, re.MULTILINE)
    found = re.findall(r" => (/\S+) \(0x", needed)
    missing = set(re.findall(r"^\s(\S+) => not found$", needed, re.MULTILINE))
    shipped = {path.name for path in root.rglob("*.so*")}
    if lost := missing - shipped:
        raise SystemExit(f"image: these shared libraries are missing here: {', '.join(sorted(lost))}")
    paths = {path.name: path for path in map(Path, [*loader, *found]) if root.resolve() not in path.resolve().parents}
    return [path for name, path in sorted(paths.items())]


def binaries(root: Path) -> Iterator[Path]:
    """Yield the programs and shared libraries in a folder."""
    for path in sorted(root.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield path


def strip(root: Path) -> None:
    """Remove the symbols that only debuggers read.

    The libraries in `*.libs` stay as they are: auditwheel has rewritten them, and strip breaks some of those.
    """
    if shutil.which("strip") is None:
        print("image: there is no strip here, so the symbols stay", file=sys.stderr)
        return
    plain = [str(path) for path in binaries(root) if not path.parent.name.endswith(".libs")]
    subprocess.run(["strip", "--strip-unneeded", *plain], check=True)


def write_settings(root: Path) -> None:
    """Write the few files that libc reads, and the folder for temporary files."""
    etc = root / "etc"
    etc.mkdir()
    (etc / "passwd").write_text(f"root:x:0:0::/:\ntablee:x:{USER}:{USER}::/var/lib/tablee:\n")
    (etc / "group").write_text(f"root:x:0:\ntablee:x:{USER}:\n")
    (etc / "nsswitch.conf").write_text("hosts: files dns\n")
    if CERTIFICATES.exists():
        copy = root / CERTIFICATES.relative_to("/")
        copy.parent.mkdir(parents=True)
        shutil.copy2(CERTIFICATES, copy)
    (root / "tmp").mkdir()
    (root / "tmp").chmod(0o1777)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    assemble(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
