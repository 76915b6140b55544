"""Scripts that run inside a sandbox, at ``/opt/forge``: standard library only."""
