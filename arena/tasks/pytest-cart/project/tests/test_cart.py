from shop.cart import total


def test_an_empty_cart_costs_nothing():
    assert total([]) == 0


def test_counts_quantities():
    assert total([(200, 3)]) == 600


def test_counts_quantities_of_several_items():
    assert total([(100, 3), (200, 2)]) == 700
