"""The command line: parse, call, show. Each command is a module; what is heavy is imported when it runs."""
