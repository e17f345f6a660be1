import logging

LOG = logging.getLogger("shop")
