"""What the tests of foreign stores share."""
import sqlite3

from bench_program import BenchTest, grid
from program import TEST_DATA

TWO_RUNS = '[[run]]\nmethods = ["svm-labels"]\nfolds = "0-1"'


class ForeignStoreTest(BenchTest):
    def make_store(self):
        self.write(grid(TWO_RUNS))
        self.bench()
        return self.folder / "grid.sqlite"

    def make_earlier_store(self, version):
        path = self.folder / "grid.sqlite"
        path.unlink(missing_ok=True)
        database = sqlite3.connect(path)
        database.executescript((TEST_DATA / "stores" / f"version_{version}.sql").read_text())
        database.close()
        return path

    def change(self, *statements):
        """Of the store, as anybody can."""
        database = sqlite3.connect(self.folder / "grid.sqlite")
        for statement in statements:
            database.execute(statement)
        database.commit()
        database.close()

    def refused(self, *arguments, says, **options):
        done = self.run_program(*arguments, code=options.pop("code", 2), **options)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(says, done.stderr)
        for word in ("map::", "vector::", "_M_", "std::"):
            self.assertNotIn(word, done.stderr)
        return done.stderr
