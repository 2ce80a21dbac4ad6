from reports.title import title


def test_underlines():
    assert title("Hi") == "Hi\n==\n"
