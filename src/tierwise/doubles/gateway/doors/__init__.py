"""Doors into the gateway for clients in this process: no socket is opened."""
