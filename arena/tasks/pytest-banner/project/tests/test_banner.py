from pathlib import Path

from signs.banner import banner


def test_contains_the_text():
    assert "Hi" in banner("Hi")


def test_frames():
    assert banner("Hi") == (Path(__file__).parent / "golden" / "banner.txt").read_text()
