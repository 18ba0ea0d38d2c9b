"""The page and those who look at it: Starlette and uvicorn, which the extra `fairlead[live]` brings."""
