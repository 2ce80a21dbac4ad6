def report(points):
    """A line for each name with its points."""
    return "".join(f"{name}: {count}\n" for name, count in points.items())
