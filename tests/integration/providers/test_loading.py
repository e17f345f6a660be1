"""What a run with one provider has to load."""

from __future__ import annotations

import json
import subprocess
import sys

ASKING = """
import json, sys
import tierwise.evals.engine
from tierwise.evals.calling import Caller
from tierwise.evals.pricing import PriceList
from tierwise.providers.spec import provider_from_spec

provider = provider_from_spec("http://127.0.0.1:9/v1#m")
Caller(provider, prices=PriceList())
PriceList().rate_of(provider)
print(json.dumps(sorted(sys.modules)))
"""


def test_a_plain_text_provider_over_http_loads_no_pydantic_and_no_other_provider() -> None:
    """They are loaded by a schema, or by whoever asks for another one."""
    found = subprocess.run(
        [sys.executable, "-c", ASKING], capture_output=True, text=True, check=True
    )
    loaded = json.loads(found.stdout)
    assert "tierwise.providers.http.provider" in loaded
    others = ("anthropic", "gemini", "openai", "local", "made_up")
    assert [name for name in loaded if name.startswith("pydantic")] == []
    assert [
        name
        for name in loaded
        for other in others
        if name.startswith(f"tierwise.providers.{other}")
    ] == []
