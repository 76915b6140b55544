"""Where untrusted code runs. The only room that spawns processes."""

from sandbox.opening import open_sandbox
from sandbox.toolbox import toolbox

__all__ = ["open_sandbox", "toolbox"]
