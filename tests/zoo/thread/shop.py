import threading

STOP = threading.Event()
