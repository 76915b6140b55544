"""Makes the records of a version that is about to be released, below ``released/<version>/``.

    python tests/tasks/evidence/make_released.py VERSION

A record of each status, by a key that is thrown away. What stands there already is never replaced: a version that is
not released yet has its folder removed by hand before.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SAMPLES: dict[str, tuple[str, ...]] = {
    "verified": ("words/requirement.md",),
    "failed": ("empty/requirement.md", "--candidate", "examples/empty/wrong-message"),
    "infeasible": ("infeasible/requirement.md",),
    "underspecified": ("vague/requirement.md",),
}
"""What is built for each record: a sample's text, and options of ``forge build``."""


def main() -> None:
    """Build each record; raises where one of them cannot be made."""
    folder = HERE / "released" / sys.argv[1]
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as scratch:
        places = {f"XDG_{kind}_HOME": f"{scratch}/{kind}" for kind in ("CONFIG", "DATA", "STATE")}
        environment = {**os.environ, **places}

        def forge(*words: str) -> subprocess.CompletedProcess[bytes]:
            call = [sys.executable, "forge.py", *words]
            return subprocess.run(call, cwd=ROOT, env=environment, check=False, stdout=subprocess.PIPE)

        for name, (sample, *options) in SAMPLES.items():
            forge("build", "--file", f"examples/{sample}", *options, "--out", str(folder / name))
            if forge("verify", str(folder / name)).returncode != 0:
                raise SystemExit(f"{name}: the record is not intact")
        own = json.loads(forge("keys", "show", "--json").stdout)["own"]
        (folder / "signer.pem").write_text(own["pem"], "ascii")


if __name__ == "__main__":
    main()
