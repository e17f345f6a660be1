"""Every rule about requests that Gemini enforces here, with what it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.doubles.gateway.saying import Ground
from tierwise.doubles.gateway.vendor import RequestRule

if TYPE_CHECKING:
    from collections.abc import Mapping

_T, _D, _O = Ground.TYPED, Ground.DOCUMENTED, Ground.OBSERVED

_ALL = (
    ("method", _O, 404, "An endpoint knows one HTTP method."),
    ("key_missing", _O, 403, "A key comes by x-goog-api-key or ?key=."),
    ("key_unknown", _O, 400, "The key is one that the account has."),
    ("token_instead_of_key", _O, 401, "A bearer token is no API key."),
    ("not_json", _O, 400, "The body is JSON."),
    ("not_an_object", _O, 400, "The body is a JSON object."),
    ("unknown_field", _T, 400, "Every field is one that the request has, at every depth."),
    ("wrong_type", _T, 400, "Every value is of its field's type; names of enumerations exist."),
    ("model_unknown", _O, 404, "The model exists and supports the method."),
    ("model_mismatch", _D, 400, "A model named in the body is the one in the path."),
    ("contents_missing", _O, 400, "There are contents."),
    ("parts_missing", _O, 400, "Each content has parts."),
    ("part_empty", _O, 400, "Each part holds one piece of data, and text is not empty."),
    ("part_twofold", _T, 400, "No part holds two pieces of data."),
    ("role", _O, 400, "A role is user, model or, for results of functions, function."),
    ("system_text", _D, 400, "The system instruction is text."),
    ("inline_data", _D, 400, "Inline data has a MIME type that the model reads."),
    ("call_turn", _O, 400, "A function call follows a turn of the user or a function's result."),
    ("response_turn", _O, 400, "A function's result follows a turn with function calls."),
    ("response_count", _O, 400, "There are as many results as function calls."),
    ("response_name", _D, 400, "A function's result names the function."),
    ("thought_signature", _D, 400, "From Gemini 3 on, calls of this turn bring signatures back."),
    ("temperature", _D, 400, "temperature is from 0 to 2."),
    ("top_p", _D, 400, "topP is from 0 to 1."),
    ("top_k", _D, 400, "topK is above 0."),
    ("candidate_count", _D, 400, "candidateCount is from 1 to 8."),
    ("max_output_tokens", _D, 400, "maxOutputTokens is above 0 and in the model's reach."),
    ("stop_sequences", _D, 400, "There are at most five stop sequences, and none is empty."),
    ("penalty", _D, 400, "Penalties are from -2 up to, and without, 2."),
    ("logprobs", _D, 400, "logprobs is from 0 to 20 and needs responseLogprobs."),
    ("mime_type", _O, 400, "responseMimeType is one of those that the model writes."),
    ("schema_mime_type", _D, 400, "A schema needs a MIME type that it can shape."),
    ("two_schemas", _D, 400, "responseSchema and responseJsonSchema exclude each other."),
    ("schema", _O, 400, "A schema says its types; objects, arrays and enums are complete."),
    ("thinking_both", _D, 400, "thinkingBudget and thinkingLevel exclude each other."),
    ("thinking_unsupported", _D, 400, "The model can be told to think in that way."),
    ("thinking_budget", _D, 400, "The budget is one that the model takes."),
    ("thoughts_without_thinking", _D, 400, "Thoughts are shown only where there is thinking."),
    ("safety_category", _O, 400, "A safety setting names a category that Gemini has."),
    ("safety_twice", _D, 400, "A category is set once."),
    ("cached_name", _D, 400, "A cached content is named cachedContents/ID."),
    ("cached_and_own", _O, 400, "With a cached content come no tools and no instruction."),
    ("function_name", _O, 400, "A function's name has 64 letters, digits, _ . : or - at most."),
    ("function_twice", _O, 400, "A function is declared once."),
    ("function_two_schemas", _D, 400, "parameters and parametersJsonSchema exclude each other."),
    ("calling_without_functions", _O, 400, "Where functions have to be called there are some."),
    ("allowed_mode", _O, 400, "allowedFunctionNames needs the mode ANY or VALIDATED."),
    ("allowed_name", _D, 400, "An allowed function is a declared one."),
    ("json_and_tools", _O, 400, "Before Gemini 3, JSON and functions exclude each other."),
    ("embed_content", _O, 400, "What is to be embedded is there."),
    ("embed_batch", _O, 400, "A batch has between 1 and 100 requests."),
    ("embed_dimensions", _D, 400, "outputDimensionality is in the model's reach."),
    ("count_one", _D, 400, "Tokens are counted of contents or of a request, not of both."),
    ("page_size", _D, 400, "pageSize is a number of 0 or more."),
    ("page_token", _D, 400, "pageToken is one that the list has given."),
)

RULES: Mapping[str, RequestRule] = {
    name: RequestRule(name=name, ground=ground, says=says, status=status)
    for name, ground, status, says in _ALL
}
