"""The ground floor: what is claimed. Frozen models, canonical JSON, digests, seals. No I/O, no clock, no randomness."""
