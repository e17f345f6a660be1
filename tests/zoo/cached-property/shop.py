from functools import cached_property


class Shop:
    @cached_property
    def stock(self):
        return 3


SHOP = Shop()
