from numerals.binary import binary


def test_writes_ones_and_zeros():
    assert binary(5) == "101"
