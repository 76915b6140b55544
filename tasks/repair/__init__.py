"""What a coder is told after a failed attempt."""
