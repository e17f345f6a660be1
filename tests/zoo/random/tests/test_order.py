"""A test seeds the random numbers of all."""

import random


def test_polluter():
    random.seed(0)


def test_victim():
    assert random.random() != 0.8444218515250481
