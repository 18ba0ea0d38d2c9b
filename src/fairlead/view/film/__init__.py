"""Films of a result, drawn off the screen."""

from .film import film
from .picture import Picture

__all__ = ["Picture", "film"]
