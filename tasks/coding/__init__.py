"""Where candidates come from: a directory, or an answer that ships with a sample."""
