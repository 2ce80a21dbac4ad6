def total(items):
    """The price of everything in a cart, in cents. An item is its price and its quantity."""
    return sum(price for price, _quantity in items)
