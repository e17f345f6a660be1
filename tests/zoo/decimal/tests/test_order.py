"""A test lowers the precision of decimals."""

import decimal


def test_polluter():
    decimal.getcontext().prec = 3


def test_victim():
    assert str(decimal.Decimal(1) / 7) == "0.1428571428571428571428571429"
