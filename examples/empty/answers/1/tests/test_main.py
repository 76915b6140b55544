import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from main import count, main  # noqa: E402


class Rows(unittest.TestCase):
    def run_on(self, content: bytes) -> tuple[int, str, str | None]:
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder, "in.csv"), Path(folder, "out.csv")
            source.write_bytes(content)
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                status = main([str(source), str(target)])
            return status, printed.getvalue(), target.read_text() if target.exists() else None

    def test_an_empty_file(self):
        for content in (b"", b"\n", b" \r\n\t"):
            self.assertEqual(self.run_on(content), (2, "EMPTY\n", None))

    def test_a_header_alone_is_not_empty(self):
        self.assertEqual(self.run_on(b"name,value\n"), (0, "", "metric,value\nvalid_rows,0\ninvalid_rows,0\n"))

    def test_valid_and_invalid_rows(self):
        self.assertEqual(count("name,value\na,1\nb\n,2\nc,3,4\n\nd,5\n"), (2, 3))

    def test_quoted_line_ends(self):
        self.assertEqual(count('name,value\r\n"two\r\nlines","a,b"\r\n'), (1, 0))


if __name__ == "__main__":
    unittest.main()
