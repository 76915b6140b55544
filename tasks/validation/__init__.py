"""Three layers that observe, and one judge that is pure."""
