"""What nobody had a rule for is refused, told and complained of."""

from __future__ import annotations

from typing import Any

import pytest
from toy_vendor import CHAT, ToyVendor, ask, text_of

from tierwise.doubles.gateway import Account, Gateway, HttpRequest
from tierwise.doubles.gateway.asked import Asked, Endpoint
from tierwise.doubles.gateway.saying import Refusal
from tierwise.errors import MissingExtraError, MisuseError


class QuotingVendor(ToyVendor):
    """Knows no model, and says which it was."""

    def read(self, endpoint: Endpoint, http: HttpRequest, account: Account) -> Asked | Refusal:
        """Return the refusal."""
        asked = super().read(endpoint, http, account)
        assert isinstance(asked, Asked)
        return Refusal(status=404, rule="unknown_model", message=f"no model {asked.model}")


@pytest.fixture
def toy() -> Gateway:
    """Return a gateway that plays the toy vendor."""
    return Gateway(vendors=[ToyVendor()])


def test_an_unmatched_request_is_refused_so_that_no_client_tries_again(toy: Gateway) -> None:
    """It says which rule is nearest and why it is not for this request."""
    toy.when(last_user="river", model="toy-9", turn=4).say("a")
    toy.when(last_user="capital", model="toy-2", optional=True).say("b")
    response = toy.handle_now(ask("The capital?"))
    assert response.status == 400
    assert ("x-should-retry", "false") in response.headers
    told = text_of(response)
    assert "The nearest is rule 1, when(model='toy-2', last_user='capital')" in told
    assert "model is 'toy-1', expected 'toy-2'" in told
    assert toy.requests.only().status == 400
    assert told in toy.finish()


def test_without_rules_the_way_out_is_told(toy: Gateway) -> None:
    """A newcomer learns what to write."""
    assert "add gateway.when(...).say(...)" in text_of(toy.handle_now(ask("x")))


def test_a_key_in_a_path_is_masked_in_the_complaint(toy: Gateway) -> None:
    """A key that was put into the address by mistake is shown to nobody."""
    key = "sk-proj-" + "Ab1" * 12
    response = toy.handle_now(HttpRequest(method="GET", path=f"/{key}/x", host="api.openai.com"))
    assert response.status == 404
    assert key.encode() not in response.body
    assert key not in "".join(toy.finish())
    assert key not in str(toy.requests.only())


def test_a_key_in_the_place_of_a_model_is_masked() -> None:
    """The vendor quotes what it refuses, and the client shows it; the journal masks it too."""
    key = "sk-proj-" + "Ab1" * 12
    toy = Gateway(vendors=[QuotingVendor()])
    told = text_of(toy.handle_now(ask("x", model=key)))
    assert told == "no model [masked key]"
    plain = Gateway(vendors=[ToyVendor()])
    plain.when().say("a")
    plain.handle_now(ask("x", model=key))
    assert key not in str(plain.requests.only())
    assert plain.requests.only().model == "[masked key]"


def test_a_key_in_a_prompt_is_masked_in_the_complaint(toy: Gateway) -> None:
    """Complaints end in logs."""
    toy.handle_now(ask("my key is sk-proj-0123456789abcdefghij"))
    assert "0123456789" not in toy.finish()[0]


def test_a_rule_without_a_request_is_complained_of(toy: Gateway) -> None:
    """Unless it is optional; one that served too few counts as well."""
    toy.when(last_user="a").say("a")
    toy.when(last_user="b", optional=True).say("b")
    toy.when(last_user="c").sequence("c", "d")
    toy.handle_now(ask("c"))
    assert [complaint.split(";")[0] for complaint in toy.finish()] == [
        "rule 0, when(last_user='a') served 0 request(s)",
        "rule 2, when(last_user='c') served 1 request(s)",
    ]


def test_a_gateway_that_is_not_strict_complains_of_nothing() -> None:
    """It refuses the same."""
    toy = Gateway(vendors=[ToyVendor()], strict=False)
    toy.when(last_user="a").say("a")
    assert toy.handle_now(ask("x")).status == 400
    assert (toy.finish(), toy.complaints) == ((), ())


def test_a_path_of_nobody_s_is_refused_in_the_vendor_s_words(toy: Gateway) -> None:
    """And complained of: a client that asks there is wrong."""
    response = toy.handle_now(HttpRequest(method="GET", path="/v1/other", host="api.openai.com"))
    assert response.status == 404
    assert text_of(response) == "openai has nothing at GET /v1/other"
    assert "openai has nothing at GET /v1/other" in toy.finish()[0]


def test_what_the_vendor_refuses_is_no_complaint(toy: Gateway) -> None:
    """A test may be about just that."""
    http = HttpRequest(method="POST", path=CHAT, host="api.openai.com", body=b"{}")
    assert toy.handle_now(http).status == 400
    assert toy.finish() == ()
    assert toy.requests.only().refused == "model"


def test_other_endpoints_need_no_rule(toy: Gateway) -> None:
    """Models and embeddings are answered by the vendor; a rule without a path is not for them."""
    toy.when(optional=True).say("a")
    models = HttpRequest(method="GET", path="/v1/models", host="api.openai.com")
    assert toy.handle_now(models).status == 200
    assert toy.requests.only().rule is None


def test_a_rule_that_names_the_endpoint_is_for_it(toy: Gateway) -> None:
    """By its name or by its path; what is said there is in the vendor's hands."""
    toy.when(endpoint="models").fail(503)
    toy.when(path="/v1/embeddings").embed([0.5, 1])
    models = HttpRequest(method="GET", path="/v1/models", host="api.openai.com")
    assert toy.handle_now(models).status == 503
    found = HttpRequest(method="POST", path="/v1/embeddings", host="api.openai.com")
    assert b"[[0.5, 1]]" in toy.handle_now(found).body


def test_only_requests_for_an_answer_are_counted_as_calls(toy: Gateway) -> None:
    """`call=2` is the second question, however often models were listed before."""
    toy.when(call=2).say("second")
    toy.when().say("other")
    models = HttpRequest(method="GET", path="/v1/models", host="api.openai.com")
    told = [toy.handle_now(http) for http in (models, ask("x"), models, ask("x"))]
    assert [text_of(told[1]), text_of(told[3])] == ["other", "second"]


def test_an_account_says_whose_key_is_taken(toy: Gateway) -> None:
    """It reaches the vendor."""
    toy.configure(account=Account(keys=frozenset({"Bearer other"})))
    assert toy.handle_now(ask("x")).status == 401


def test_a_vendor_that_cannot_be_loaded_names_the_install(
    toy: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client gets it in words, the test at its end, and nothing is tried again."""

    def load(_name: str) -> Any:
        raise MissingExtraError("pip install 'tierwise[anthropic]'")

    monkeypatch.setattr("tierwise.doubles.gateway.vendors.import_module", load)
    response = toy.handle_now(
        HttpRequest(method="POST", path="/v1/messages", host="api.anthropic.com")
    )
    assert response.status == 404
    assert ("x-should-retry", "false") in response.headers
    assert b"pip install 'tierwise[anthropic]'" in response.body
    assert "pip install 'tierwise[anthropic]'" in toy.finish()[0]


def test_a_host_of_one_s_own_may_be_a_vendor_s(toy: Gateway) -> None:
    """A company's own address of the vendor's protocol."""
    toy.configure(hosts={"models.example.com": "openai"})
    toy.when().say("a")
    http = HttpRequest(
        method="POST", path=CHAT, host="models.example.com", body=b'{"model": "toy"}'
    )
    assert text_of(toy.handle_now(http)) == "a"
    with pytest.raises(MisuseError, match="Did you mean 'openai'"):
        toy.configure(hosts={"models.example.com": "openia"})
