"""Does this text give that secret away? Text in, findings out."""

from tierwise.leaks.audit import (
    ContextAudit as ContextAudit,
    ContextLeak as ContextLeak,
    audit_context as audit_context,
)
from tierwise.leaks.detector import (
    Detector as Detector,
    find_all_leaks as find_all_leaks,
    find_leaks as find_leaks,
)
from tierwise.leaks.findings import (
    Coverage as Coverage,
    Examination as Examination,
    Finding as Finding,
)
from tierwise.leaks.secret import Secret as Secret

__all__ = [
    "ContextAudit",
    "ContextLeak",
    "Coverage",
    "Detector",
    "Examination",
    "Finding",
    "Secret",
    "audit_context",
    "find_all_leaks",
    "find_leaks",
]
