#!/usr/bin/env python3
"""Installs the build into a folder of its own and builds the examples against that, out of tree.

BERMUDA_BUILD is the build tree, BERMUDA_SOURCE the checkout, BERMUDA_NEURAL says whether there is a
neural part.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["BERMUDA_BUILD"])
SOURCE = pathlib.Path(os.environ["BERMUDA_SOURCE"])
NEURAL = os.environ["BERMUDA_NEURAL"] == "ON"
INTERPRETER = BUILD / "python" / "interpreter"  # there where the Python package was built
PYTHON = INTERPRETER.read_text().strip() if INTERPRETER.is_file() else ""
# What a user of an installed package has, and none of what this build tells its tests.
PYTHON_SCRIPT = """
import bermuda as bm
from bermuda._program import program
data = bm.generate("triangles", count=40, quiet=True)
print(bm.fit("svm-wl", data, rounds=1, costs=[1], quiet=True).method)
print(program())
print(bm.models.run_json("info", "shown.jsonl")["classes"])
print("\\n".join({line.split()[-1] for line in open("/proc/self/maps") if "bermuda" in line}))
"""


def run(*command, code=0, **options):
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True,
                          timeout=500, **options)
    if done.returncode != code:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout + done.stderr


def run_python(prefix, folder, **more):
    (folder / "shown.jsonl").write_text('{"id": "a", "class": 0, "nodes": 2, "edges": [[0, 1]]}\n')
    environment = {"PYTHONPATH": str(prefix / "lib/python3/dist-packages"), "PATH": "/usr/bin:/bin", **more}
    said = run(PYTHON, "-B", "-c", PYTHON_SCRIPT, cwd=folder, env=environment).splitlines()
    return [said[0], os.path.realpath(said[1]), *said[2:]]


class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="bermuda-install-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.prefix = cls.folder / "first"
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)
        # An installed tree may be moved.
        cls.prefix = cls.prefix.rename(cls.folder / "prefix")
        cls.program = cls.prefix / "bin" / "bermuda"

    def configure(self, source, *options, code=0):
        build = self.folder / ("build-" + source.name)
        return build, run("cmake", "-S", source, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                          f"-DCMAKE_PREFIX_PATH={self.prefix}", *options, code=code)

    def bermuda(self, *words, plugins="", code=0):
        return run(self.program, *words, code=code, cwd=self.folder,
                   env={**os.environ, "BERMUDA_PLUGINS": str(plugins)})

    def test_the_program_runs_from_where_it_was_installed(self):
        self.assertIn("bermuda 0.1", self.bermuda("--version"))
        self.bermuda("generate", "triangles", "-o", "data", "--count", "200", "--quiet")
        self.assertIn("size", self.bermuda("audit", "data", "--quiet"))
        self.assertIn("there are: controls, quick, regimes, table1, table2",
                      self.bermuda("bench", "nothing", "--quiet", code=2))
        if NEURAL:
            self.bermuda("train", "gin", "data", "-o", "run", "--max-epochs", "1", "--quiet")

    @unittest.skipUnless(PYTHON, "built without the Python package")
    def test_the_python_package_finds_the_installed_program(self):
        said = run_python(self.prefix, self.folder)
        self.assertEqual(said[:2], ["svm-wl", str(self.program)])
        self.assertTrue(all(path.startswith(str(self.prefix)) for path in said[3:]), said)

    def test_a_consumer_needs_no_torch(self):
        build, _ = self.configure(SOURCE / "examples" / "everyday", "-DCMAKE_DISABLE_FIND_PACKAGE_Torch=ON")
        run("cmake", "--build", build)
        said = run(build / "everyday", cwd=self.folder)
        self.assertIn("svm-wl: ", said)
        self.assertIn("test graphs", said)
        # The model is one that the program reads.
        self.bermuda("generate", "triangles", "-o", "other", "--count", "50", "--seed", "2", "--quiet")
        self.assertIn("on 50 graphs", self.bermuda("predict", "everyday.bermuda", "other", "--quiet"))

    def test_a_plugin_is_built_out_of_tree(self):
        build, _ = self.configure(SOURCE / "examples" / "own_method")
        run("cmake", "--build", build)
        self.bermuda("generate", "triangles", "-o", "small", "--count", "100", "--quiet")
        self.bermuda("train", "degree-profile", "small", "-o", "own", "--quiet", plugins=build / "plugins")

    @unittest.skipUnless(NEURAL, "built without the neural part")
    def test_a_network_is_built_out_of_tree(self):
        build, _ = self.configure(SOURCE / "examples" / "own_network")
        run("cmake", "--build", build)
        self.bermuda("generate", "triangles", "-o", "some", "--count", "100", "--quiet")
        self.bermuda("train", "deep-sets", "some", "-o", "sets", "--max-epochs", "1", "--quiet",
                     plugins=build / "plugins")

    def test_neural_components_look_for_torch(self):
        project = self.folder / "asks"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(asks LANGUAGES CXX)\n"
            "find_package(bermuda REQUIRED COMPONENTS train)\n")
        _, said = self.configure(project, "-DCMAKE_DISABLE_FIND_PACKAGE_Torch=ON", code=1)
        self.assertIn("Torch" if NEURAL else "without its neural part", said)
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(asks LANGUAGES CXX)\n"
            "find_package(bermuda REQUIRED COMPONENTS nothing)\n")
        _, said = self.configure(project, code=1)
        self.assertIn("no component nothing", said)

    def test_as_a_part_of_another_project(self):
        project = self.folder / "whole"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(whole LANGUAGES CXX)\n"
            "set(BERMUDA_NEURAL OFF)\nset(BERMUDA_MPI OFF)\n"
            f"add_subdirectory({SOURCE} bermuda)\n"
            "get_target_property(options bermuda_core COMPILE_OPTIONS)\n"
            "message(STATUS \"options: ${options}, tests: ${BERMUDA_TESTS}\")\n")
        build, said = self.configure(project, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
        self.assertIn("tests: OFF", said)
        self.assertNotIn("-Werror", (build / "compile_commands.json").read_text())


@unittest.skipUnless(PYTHON, "built without the Python package")
@unittest.skipUnless(shutil.which("dpkg-shlibdeps") and shutil.which("file"), "needs dpkg-dev and file")
class PackageTest(unittest.TestCase):
    """The Debian packages of the program and of Python, unpacked beside each other."""

    def test_python_finds_the_program_of_the_other_package(self):
        with tempfile.TemporaryDirectory(prefix="bermuda-package-") as name:
            folder = pathlib.Path(name)
            run("cpack", "--config", BUILD / "CPackConfig.cmake", "-D", "CPACK_COMPONENTS_ALL=base;python", "-B", folder)
            module, = folder.glob("python3-bermuda_*.deb")
            base, = folder.glob("bermuda_*.deb")
            depends = run("dpkg-deb", "-f", module, "Depends")
            version = run("dpkg-deb", "-f", base, "Version").strip()
            for wanted in (f"bermuda (= {version})", "python3 (>= 3.", "python3 (<< 3.", "python3-numpy"):
                self.assertIn(wanted, depends)
            self.assertNotIn("torch", depends)
            for package in (module, base):
                run("dpkg-deb", "-x", package, folder / "root")
            run("dpkg-deb", "-e", module, folder / "control")
            for script in ("postinst", "prerm"):
                self.assertTrue(os.access(folder / "control" / script, os.X_OK), script)
                run("sh", "-n", folder / "control" / script)
            root = folder / "root" / "usr"
            self.assertTrue((root / "share/doc/python3-bermuda/copyright").is_file())
            libraries, = {path.parent for path in root.glob("lib/**/libbermuda_core.so.*")}
            said = run_python(root, folder, LD_LIBRARY_PATH=str(libraries))
            self.assertEqual(said[1], str(root / "bin" / "bermuda"))
            self.assertTrue(all(path.startswith(str(root)) for path in said[3:]), said)


if __name__ == "__main__":
    unittest.main()
