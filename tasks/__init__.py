"""One package per stage: plain functions; `stages.py` lists them."""
