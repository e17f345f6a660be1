def price(what):
    return 3
