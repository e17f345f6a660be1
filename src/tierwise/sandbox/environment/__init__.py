"""The variables that tests see: what is put in for a session, and what a test changes itself."""

from tierwise.sandbox.environment.cleaning import clean_env as clean_env
from tierwise.sandbox.environment.mocking import (
    MockedEnv as MockedEnv,
    mock_process_env as mock_process_env,
)
