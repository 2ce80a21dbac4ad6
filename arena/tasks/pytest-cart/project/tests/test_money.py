from shop.money import as_money


def test_shows_euros_and_cents():
    assert as_money(1234) == "€12.34"
