"""What every formulation rigs a cable with: commands, loads, winches, frames, elements, and what is seen and
said of them.

A formulation says how a cable moves; all of this is the same whichever way that is, and is written once. Its kernels
take rows of the formulation's own tables, which are known by their fields (`fairlead.algebra.records`), and, where a
formulation has a word to say, a kernel of it (those that take one are `fold`s: machine code with the address of a
function in it could not be kept on disk).
"""
