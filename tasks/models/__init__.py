"""Models in their roles: asked, measured, bounded, and never trusted (laws 1 to 3)."""
