"""An audit as text and as one HTML page."""
