"""What is wrong with snapshots or with what is asked of them."""


class ReductionError(ValueError):
    """One sentence that says what is wrong and what to do."""
