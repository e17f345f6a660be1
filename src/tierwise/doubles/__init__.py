"""What stands in for the world at a seam: a vendor on the wire, an agent's tools, an environment."""
