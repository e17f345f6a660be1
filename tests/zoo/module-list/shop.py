SOLD = []


def sell(what):
    SOLD.append(what)
