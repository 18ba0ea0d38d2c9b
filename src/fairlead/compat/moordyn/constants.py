"""MoorDyn's numbers for levels of messages, errors and kinds of things."""

from __future__ import annotations

LEVEL_NONE, LEVEL_ERR, LEVEL_WRN, LEVEL_MSG, LEVEL_DBG = 4096, 3, 2, 1, 0

ERRCODE_SUCCESS = 0
ERRCODE_INVALID_INPUT_FILE = -1
ERRCODE_INVALID_OUTPUT_FILE = -2
ERRCODE_INVALID_INPUT = -3
ERRCODE_NAN_ERROR = -4
ERRCODE_MEM_ERROR = -5
ERRCODE_INVALID_VALUE = -6
ERRCODE_NON_IMPLEMENTED = -7
ERRCODE_UNHANDLED_ERROR = -255

BODY_TYPE_COUPLED = POINT_TYPE_COUPLED = -1
BODY_TYPE_FREE = POINT_TYPE_FREE = 0
BODY_TYPE_FIXED = POINT_TYPE_FIXED = 1
ROD_TYPE_COUPLED, ROD_TYPE_CPLDPIN, ROD_TYPE_FREE, ROD_TYPE_PINNED, ROD_TYPE_FIXED = -2, -1, 0, 1, 2

ENDPOINT_A = ENDPOINT_BOTTOM = 0
ENDPOINT_B = ENDPOINT_TOP = 1


class MoorDynError(RuntimeError):
    """What MoorDyn's own module raises as a RuntimeError, with its `code` and a sentence."""

    def __init__(self, code: int, what: str) -> None:
        super().__init__(what)
        self.code = code
