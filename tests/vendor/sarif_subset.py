"""Of the SARIF 2.1.0 schema, what our reports use: names, types, required fields and limits."""

from __future__ import annotations

from typing import Any

TEXT = {"type": "string", "minLength": 1}


def closed(required: list[str], **properties: Any) -> dict[str, Any]:
    """Return the schema of an object with no other fields, as SARIF closes its own."""
    return {
        "type": "object",
        "required": required,
        "properties": properties,
        "additionalProperties": False,
    }


MESSAGE = closed(["text"], text=TEXT, markdown=TEXT)
RULE = closed(
    ["id"],
    id=TEXT,
    name={"type": "string", "pattern": "^[A-Z][A-Za-z0-9]*$"},
    shortDescription=MESSAGE,
    fullDescription=MESSAGE,
    help=MESSAGE,
    helpUri={"type": "string", "format": "uri"},
    defaultConfiguration=closed([], level={"enum": ["none", "note", "warning", "error"]}),
)
PLACE = closed(
    ["artifactLocation"],
    artifactLocation=closed(
        ["uri"],
        # Relative, in the characters of a URI alone, and not out of the repository.
        uri={"type": "string", "pattern": r"^(?!/|\.\.)([A-Za-z0-9._~/-]|%[0-9A-F]{2})+$"},
        uriBaseId={"const": "%SRCROOT%"},
    ),
    region=closed([], startLine={"type": "integer", "minimum": 1}),
)
RESULT = closed(
    ["ruleId", "message"],
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    level={"enum": ["none", "note", "warning", "error"]},
    message=MESSAGE,
    locations={
        "type": "array",
        "items": closed(
            [],
            physicalLocation=PLACE,
            logicalLocations={"type": "array", "items": closed([], fullyQualifiedName=TEXT)},
        ),
    },
    partialFingerprints={"type": "object", "additionalProperties": {"type": "string"}},
    occurrenceCount={"type": "integer", "minimum": 1},
)
INVOCATION = closed(
    ["executionSuccessful"],
    executionSuccessful={"type": "boolean"},
    toolExecutionNotifications={
        "type": "array",
        "items": closed(
            ["message"],
            message=MESSAGE,
            level={"enum": ["none", "note", "warning", "error"]},
        ),
    },
)
SCHEMA = closed(
    ["version", "runs"],
    **{
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "minItems": 1,
            "items": closed(
                ["tool", "results"],
                tool=closed(
                    ["driver"],
                    driver=closed(
                        ["name"],
                        name=TEXT,
                        version=TEXT,
                        rules={"type": "array", "uniqueItems": True, "items": RULE},
                    ),
                ),
                automationDetails=closed([], id=TEXT),
                originalUriBaseIds={
                    "type": "object",
                    "additionalProperties": closed([], description=MESSAGE),
                },
                invocations={"type": "array", "items": INVOCATION},
                columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                results={"type": "array", "items": RESULT},
            ),
        },
    },
)
