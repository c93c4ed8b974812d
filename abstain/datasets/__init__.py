"""Data sets: files or hub repositories in, `QuestionSet`s out, in a fixed order with a stable index."""
