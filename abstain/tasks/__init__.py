"""What the entrypoint can do, a module a task."""
