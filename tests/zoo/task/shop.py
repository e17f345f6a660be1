LOOP = TASK = None
