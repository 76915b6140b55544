"""The append-only log of runs: no run can be withheld, or replaced by a later and luckier one, unseen (EVI-07)."""
