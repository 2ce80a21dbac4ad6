def binary(number):
    """A number with the digits 0 and 1."""
    return f"{number:b}"
