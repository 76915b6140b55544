"""Write the published schemas into the directory that is named."""

import sys
from pathlib import Path

from contracts.schemas import PUBLISHED, schema_text

for model in PUBLISHED:
    Path(sys.argv[1], f"{model.__name__}.json").write_text(schema_text(model), encoding="utf-8")
