"""Does this text give that secret away? Text in, findings out."""
