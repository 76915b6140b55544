"""Plan, or prove that nothing can satisfy the requirement."""
