from functools import lru_cache


@lru_cache
def price(what):
    return 3
