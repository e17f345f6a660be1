class Settings:
    def __init__(self):
        self.currency = "EUR"


SETTINGS = Settings()
