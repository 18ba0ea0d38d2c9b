"""The Green-strain cable as quadratic forms of its nodes' positions, for reduced models.

With the Green strain everything is polynomial. For an element of unstretched length L between the nodes i and j

    e = ½(x ᵀQ x − 1),   x ᵀQ x = |x_j − x_i|²/L²,   U = ½ EA·L e²,   f = −∂U/∂x = −EA·L e·Q x,

x being the positions of all nodes of the cable one after the other (3 n + 3 numbers). The strain is quadratic in x, and
with the strains (or tensions EA·e) as unknowns beside it so is the force. In a reduced basis x = x̄ + Φq each form
becomes qᵀ(ΦᵀQΦ)q + 2(x̄ᵀQΦ)q + x̄ᵀQ x̄: a few numbers an element, whatever the number of nodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fairlead.model import System

if TYPE_CHECKING:
    import scipy.sparse as sp


class QuadraticStrain(NamedTuple):
    """The strains of one cable's elements.

    forms     one sparse Q (3 nodes, 3 nodes) [1/m²] an element
    length    unstretched lengths (elements,) [m]
    stiffness EA (elements,) [N]
    """

    forms: tuple[sp.csr_matrix, ...]
    length: np.ndarray
    stiffness: np.ndarray

    def strain(self, nodes: np.ndarray) -> np.ndarray:
        """Green strain e of each element for the positions `nodes` (nodes, 3), (elements,)."""
        x = nodes.ravel()
        return np.array([0.5 * (x @ (form @ x) - 1.0) for form in self.forms])

    def energy(self, nodes: np.ndarray) -> float:
        """Elastic energy [J]."""
        return float(0.5 * np.sum(self.stiffness * self.length * self.strain(nodes) ** 2))

    def force(self, nodes: np.ndarray) -> np.ndarray:
        """Elastic force on each node, (nodes, 3) [N]."""
        x = nodes.ravel()
        weights = self.stiffness * self.length * self.strain(nodes)
        total: np.ndarray = -sum(weight * (form @ x) for weight, form in zip(weights, self.forms, strict=True))
        return total.reshape(-1, 3)


def quadratic_strain(system: System, cable: str) -> QuadraticStrain:
    """The quadratic forms of the named cable's elements, from its start to its end."""
    import scipy.sparse as sp  # not asked for by a run

    segments = system.cables[cable].segments(system)
    length = np.array([segment.length for segment in segments])
    stiffness = np.array([system.types[segment.type_name].ea for segment in segments])
    size = 3 * (len(segments) + 1)
    forms = []
    for i, span in enumerate(length):
        difference = sp.hstack([-sp.identity(3), sp.identity(3)]) / span
        block = (difference.T @ difference).tocoo()
        forms.append(sp.csr_matrix((block.data, (block.row + 3 * i, block.col + 3 * i)), shape=(size, size)))
    return QuadraticStrain(tuple(forms), length, stiffness)
