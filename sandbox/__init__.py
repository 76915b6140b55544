"""Where untrusted code runs. The only room that spawns processes."""
