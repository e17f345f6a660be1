from contextvars import ContextVar

TENANT = ContextVar("tenant", default="nobody")
