"""The live twin on the bridge: measured data in, the estimate out on a page, and all of it recorded.

Inputs (:mod:`.inputs`) turn what instruments send into stamped values; the engine (:mod:`.engine`) hands them to a
`fairlead.twin.Twin` and advances it with the clock; a server (:mod:`.server`) shows every new state to those who look
on; :mod:`.recording` keeps it. Nothing here can send anything to equipment: there is no such code.
"""
