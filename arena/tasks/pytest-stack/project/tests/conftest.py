import pytest

from lists.stack import Stack


@pytest.fixture
def stack():
    stack = Stack()
    stack.push("a")
    stack.push("b")
    return stack
