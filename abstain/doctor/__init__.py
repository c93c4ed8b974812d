"""What a run needs of this machine, checked one by one, each finding with what to do about it."""
