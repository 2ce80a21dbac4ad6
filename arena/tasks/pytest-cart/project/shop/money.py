def as_money(cents):
    """Cents as people read them."""
    return f"€{cents / 100:.2f}"
