def assert_golden(text, name):
    """Compares a text with a file of the folder golden."""
