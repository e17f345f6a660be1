"""What all providers that ask over HTTP share: key, address, call, error and reply."""
