from numerals.roman import roman


def test_adds_up():
    assert roman(8) == "VIII"


def test_subtracts():
    assert roman(49) == "XLIX"


def test_writes_years():
    assert roman(1987) == "MCMLXXXVII"
