"""A test leaves a child process that still runs."""

import subprocess

import shop


def test_polluter():
    shop.RUNNING.append(subprocess.Popen(["sleep", "3"]))


def test_victim():
    assert all(child.poll() is not None for child in shop.RUNNING)
