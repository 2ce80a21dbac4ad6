FRAME = "#"


def banner(text):
    """A text in a frame."""
    edge = FRAME * (len(text) + 4)
    return f"{edge}\n{FRAME} {text} {FRAME}\n{edge}\n"
