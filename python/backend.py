"""What pip calls (PEP 517): builds with CMake and packs a wheel. Needs what the [base] and [python] groups
of scripts/packages.txt name, and no network.

The wheel holds the package, and in bermuda/_prefix the libraries and the program that it uses. The
environment variable BERMUDA_BUILD may name a finished build tree to take them from.
"""
from __future__ import annotations

import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[1]
SUMMARY = "Tells whether a model, or a data set, is really about graph topology"


def version() -> str:
    found = re.search(r"project\(bermuda VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert found is not None
    return found.group(1)


def tag() -> str:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{platform}"


def run(*words: object) -> None:
    subprocess.run([str(word) for word in words], check=True, stdout=sys.stderr)


def build_tree() -> pathlib.Path:
    if os.environ.get("BERMUDA_BUILD"):
        return pathlib.Path(os.environ["BERMUDA_BUILD"])
    tree = ROOT / "build" / "wheel"
    run("cmake", "-S", ROOT, "-B", tree, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON",
        "-DCMAKE_UNITY_BUILD_BATCH_SIZE=16", "-DCMAKE_INSTALL_LIBDIR=lib", "-DBERMUDA_TESTS=OFF",
        "-DBERMUDA_NEURAL=OFF", "-DBERMUDA_MPI=OFF", "-DBERMUDA_PYTHON=ON", f"-DPython3_EXECUTABLE={sys.executable}")
    run("cmake", "--build", tree)
    return tree


def installed(tree: pathlib.Path, stage: pathlib.Path) -> Iterator[tuple[str, pathlib.Path]]:
    """What belongs into the wheel: its name there, and where it stands."""
    for component in ("base", "python"):
        run("cmake", "--install", tree, "--prefix", stage, "--component", component)
    package = next(stage.glob("lib/**/bermuda/__init__.py"), None)
    if package is None:
        sys.exit(f"{tree}: built without the Python package; pybind11 or Python's headers are missing")
    for path in sorted(package.parent.iterdir()):
        yield f"bermuda/{path.name}", path
    # A wheel has no links: each library goes by the name that the others know it by.
    for path in sorted(stage.glob("lib/libbermuda_*.so.*")):
        if path.is_symlink():
            yield f"bermuda/_prefix/lib/{path.name}", path.resolve()
    yield "bermuda/_prefix/bin/bermuda", stage / "bin" / "bermuda"
    for path in sorted((stage / "share" / "bermuda").rglob("*")):
        if path.is_file():
            yield f"bermuda/_prefix/{path.relative_to(stage)}", path


def metadata() -> dict[str, bytes]:
    folder = f"bermuda-{version()}.dist-info"
    about = (f"Metadata-Version: 2.1\nName: bermuda\nVersion: {version()}\nSummary: {SUMMARY}\n"
             "Requires-Python: >=3.10\nRequires-Dist: numpy\nProvides-Extra: networkx\n"
             "Requires-Dist: networkx ; extra == 'networkx'\nProvides-Extra: sklearn\n"
             "Requires-Dist: scikit-learn ; extra == 'sklearn'\nRequires-Dist: scipy ; extra == 'sklearn'\n")
    wheel = f"Wheel-Version: 1.0\nGenerator: bermuda\nRoot-Is-Purelib: false\nTag: {tag()}\n"
    return {f"{folder}/METADATA": about.encode(), f"{folder}/WHEEL": wheel.encode()}


def record(name: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: object = None) -> str:
    for name, data in metadata().items():
        path = pathlib.Path(metadata_directory, name)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    return path.parent.name


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: str | None = None) -> str:
    name = f"bermuda-{version()}-{tag()}.whl"
    lines = ""
    with tempfile.TemporaryDirectory(prefix="bermuda-wheel-") as stage, \
            zipfile.ZipFile(pathlib.Path(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for target, path in installed(build_tree(), pathlib.Path(stage)):
            wheel.write(path, target)
            lines += record(target, path.read_bytes())
        for target, data in metadata().items():
            wheel.writestr(target, data)
            lines += record(target, data)
        target = f"bermuda-{version()}.dist-info/RECORD"
        wheel.writestr(target, lines + f"{target},,\n")
    return name


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    name = f"bermuda-{version()}"
    archive = pathlib.Path(sdist_directory, f"{name}.tar.gz")
    run("git", "-C", ROOT, "archive", f"--prefix={name}/", "-o", archive, "HEAD")
    return archive.name
