"""Language models: prompts in, responses out, one module or folder a backend."""
