def test_holds_what_was_pushed(stack):
    assert len(stack.items) == 2


def test_gives_back_the_last(stack):
    assert stack.pop() == "b"


def test_gives_back_all_in_turn(stack):
    assert [stack.pop(), stack.pop()] == ["b", "a"]
