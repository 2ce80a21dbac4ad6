def title(text):
    """A title with a line below."""
    return f"{text}\n{'=' * len(text)}\n"
