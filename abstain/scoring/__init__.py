"""From decisions to outcomes, metrics and intervals: pure functions, no model and no tracking (DESIGN 6)."""
