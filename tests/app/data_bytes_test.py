#!/usr/bin/env python3
"""`bermuda dataset` writes the same bytes on every processor: with every kind of processor that the
BLAS and the C library can be told to take this one for, and any number of threads.
tests/portability.sh compares other compilers and levels of optimisation."""
import os
import unittest

from pinned import CHECKSUMS, checksum
from program import ProgramTest

# As it is, then the BLAS and the C library as if on other processors.
PROCESSORS = [{}, {"OPENBLAS_CORETYPE": "Haswell"}, {"OPENBLAS_CORETYPE": "SkylakeX"},
              {"OPENBLAS_CORETYPE": "Nehalem"},
              {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2_Usable,-FMA_Usable,-AVX2,-FMA,-FMA4"}]


class DataBytesTest(ProgramTest):
    def test_processors_and_threads(self):
        for task, expected in CHECKSUMS.items():
            manifests = set()
            for number, processor in enumerate(PROCESSORS):
                with self.subTest(task, **processor):
                    folder = self.folder / f"{task}{number}"
                    self.run_program("dataset", task, "--seed", 1, "-o", folder, "--quiet",
                                     "--threads", 1 + number % 2, env={**os.environ, **processor})
                    self.assertEqual(checksum(folder), expected)
                    manifests.add((folder / "manifest.json").read_bytes())
            self.assertEqual(len(manifests), 1, "manifests differ")


if __name__ == "__main__":
    unittest.main()
