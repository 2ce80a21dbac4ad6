def count(items):
    """How often each item is there."""
    return {item: items.count(item) for item in items}
