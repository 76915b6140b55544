import subprocess
import sys
import unittest
from pathlib import Path

MAIN = Path(__file__).parents[1] / "main.py"


def run(text: str) -> tuple[int, str]:
    done = subprocess.run([sys.executable, MAIN], input=text, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


class Words(unittest.TestCase):
    def test_runs_of_blanks(self):
        self.assertEqual(run("one two  three"), (0, "3\n"))

    def test_tabs_and_lines(self):
        self.assertEqual(run("one\ttwo\nthree\r\nfour\n"), (0, "4\n"))

    def test_nothing(self):
        self.assertEqual(run(""), (1, "NONE\n"))


if __name__ == "__main__":
    unittest.main()
