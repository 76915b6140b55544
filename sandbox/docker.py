"""The production backend: one container per open sandbox, through the Docker SDK."""
