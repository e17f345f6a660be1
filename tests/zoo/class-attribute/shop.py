class Shop:
    open = True
