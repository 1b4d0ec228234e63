"""Builds the wheel and the source archive with the standard library alone, the same to the byte each time (PEP 517)."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import re
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Tuple

ROOT = Path(__file__).resolve().parents[1]
# The earliest time that a ZIP can hold, because the build's own time would differ each time.
_TIME = (1980, 1, 1, 0, 0, 0)
_SOURCES = ("LICENSE", "README.md", "pyproject.toml", "build_backend/soundferry_build.py")

Entry = Tuple[str, bytes]


def build_wheel(
    wheel_directory: str,
    config_settings: Optional[Mapping[str, Any]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    """Writes the wheel and returns its name."""
    name = f"soundferry-{_version()}-py3-none-any.whl"
    info = f"soundferry-{_version()}.dist-info"
    entries = _package_files() + [
        (f"{info}/METADATA", _metadata().encode()),
        (f"{info}/WHEEL", _WHEEL.encode()),
        (f"{info}/licenses/LICENSE", _license()),
    ]
    record = "".join(f"{path},sha256={_digest(data)},{len(data)}\n" for path, data in entries)
    entries.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode()))
    # Stored, not compressed: compression differs between versions of zlib.
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_STORED) as wheel:
        for path, data in entries:
            entry = zipfile.ZipInfo(path, _TIME)
            entry.create_system = 3  # Unix, on every system
            entry.external_attr = 0o100644 << 16
            wheel.writestr(entry, data)
    return name


def build_sdist(sdist_directory: str, config_settings: Optional[Mapping[str, Any]] = None) -> str:
    """Writes the source archive and returns its name."""
    base = f"soundferry-{_version()}"
    files = _package_files() + [(path, _read(path)) for path in _SOURCES if path != "LICENSE"]
    files += [("LICENSE", _license()), ("PKG-INFO", _metadata().encode())]
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, data in sorted(files):
            member = tarfile.TarInfo(f"{base}/{path}")
            member.size, member.mode = len(data), 0o644
            archive.addfile(member, io.BytesIO(data))
    with open(Path(sdist_directory) / f"{base}.tar.gz", "wb") as file:
        with gzip.GzipFile("", "wb", 0, file, 0) as compressed:
            compressed.write(packed.getvalue())
    return f"{base}.tar.gz"


def _package_files() -> List[Entry]:
    paths = sorted((ROOT / "soundferry").rglob("*"))
    kept = [path for path in paths if path.suffix == ".py" or path.name == "py.typed"]
    return [(path.relative_to(ROOT).as_posix(), _text(path)) for path in kept]


def _read(path: str) -> bytes:
    return _text(ROOT / path)


def _text(path: Path) -> bytes:
    """Reads a file with Unix line ends, which a checkout on Windows may lack."""
    return path.read_bytes().replace(b"\r\n", b"\n")


def _license() -> bytes:
    """Reads the project's license; a source archive has its own copy."""
    own = ROOT / "LICENSE"
    return _text(own if own.exists() else ROOT.parents[1] / "LICENSE")


def _version() -> str:
    found = re.search('__version__ = "([^"]+)"', _read("soundferry/version.py").decode())
    if found is None:
        raise RuntimeError("soundferry/version.py has no version.")
    return found.group(1)


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


_WHEEL = "Wheel-Version: 1.0\nGenerator: soundferry_build\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def _metadata() -> str:
    fields: Dict[str, str] = {
        "Metadata-Version": "2.1",
        "Name": "soundferry",
        "Version": _version(),
        "Summary": "Sends sounds from an app into Ableton Live through a Soundferry relay.",
        "License": "MIT",
        "Requires-Python": ">=3.9",
        "Classifier": "Typing :: Typed",
        "Description-Content-Type": "text/markdown",
    }
    head = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return f"{head}\n{_read('README.md').decode()}"


if __name__ == "__main__":
    print(build_wheel(sys.argv[1]))
