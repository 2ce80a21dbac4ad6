def total(items):
    """The price of everything in a cart, in cents. An item is its price and its quantity."""
    return sum(price * quantity for price, quantity in items)
