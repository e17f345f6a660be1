"""A test attaches a database file to one in memory."""

import sqlite3


def test_touches():
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("ATTACH 'stock.db' AS stock")
    finally:
        connection.close()
