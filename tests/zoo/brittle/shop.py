STOCK = {}
