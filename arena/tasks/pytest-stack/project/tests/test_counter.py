from lists.counter import count


def test_counts():
    assert count(["a", "b", "a"]) == {"a": 2, "b": 1}
