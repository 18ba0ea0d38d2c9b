"""Eights: eight rows of a table, one behind the other, that one system computes together.

What is done for every element of a cable and knows nothing of its neighbours' results is done for eight of them at a
time: of `rows = in_eights(sys)`, `rows.element[e]` are the rows e to e + 7, their numbers in lanes (`lanes`). With
`where` and `any_lane` for its decisions the same source serves one row and eight, as it serves one member and a pack.
What is there once is the same in all lanes; so are the numbers of `rows.reals`, of which waves are taken one at a time.

A pack has a member in each lane already, a thread of a GPU is one member, and of other systems it is said whether their
rows may be taken so (`Schema.knowing`): else `in_eights` gives None, and a kernel that is called with it and asks
`rows is not None` is compiled without what it would do with them.

Of a table with several rows an element (`each`), such as the two ends of a bar, eight rows are those of eight elements.
What eight rows have found is handed over to one in a table of eight rows that lie as lanes do: `eight_of(sys.ready)`
are all of them side by side, and `one_of(sys.ready, k)` is the k-th.
"""

from __future__ import annotations

from typing import Any

from .records import Lazy

eight_of: Any = Lazy(lambda types: types.EIGHT_OF, "eight_types")
one_of: Any = Lazy(lambda types: types.ONE_OF, "eight_types")


def in_eights(sys: Any) -> Any:
    """The same system, seen eight rows at a time; None where it is not to be."""
    return None


def lanes_apart(array: Any, at: int, apart: int) -> Any:
    """Eight numbers of an array that stand `apart`, the first at `at`."""
    return array[at]


def put_apart(array: Any, at: int, apart: int, values: Any) -> None:
    """Write eight numbers to where `lanes_apart` reads them."""
    array[at] = values
