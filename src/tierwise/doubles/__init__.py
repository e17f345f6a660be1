"""What stands in for the world: a vendor on the wire, an agent's tools, an environment."""
