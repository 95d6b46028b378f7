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


def run(*command, code=0, **options):
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True,
                          timeout=500, **options)
    if done.returncode != code:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout + done.stderr


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
        self.assertIn("there are: controls, quick, table1, table2",
                      self.bermuda("bench", "nothing", "--quiet", code=2))
        if NEURAL:
            self.bermuda("train", "gin", "data", "-o", "run", "--max-epochs", "1", "--quiet")

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


if __name__ == "__main__":
    unittest.main()
