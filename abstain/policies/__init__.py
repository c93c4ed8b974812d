"""Which prompt a policy asks, and the pure rule by which it decides."""
