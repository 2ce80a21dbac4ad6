from shop.cart import total


def test_counts_quantities_that_no_other_test_mentions():
    assert f"{total([(7, 5)]):d}" == "35"
