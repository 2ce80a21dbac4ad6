from pathlib import Path


def assert_golden(text, name):
    """Compares a text with a file of the folder golden."""
    assert text == (Path(__file__).parent / "golden" / name).read_text()
