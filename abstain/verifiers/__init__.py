"""Verifiers: does a passage contradict what the model says without it?"""
