"""Does this text give that secret away? Text in, findings out."""

from tierwise.leaks.audit import (
    ContextAudit as ContextAudit,
    ContextLeak as ContextLeak,
    audit_context as audit_context,
)
from tierwise.leaks.blind_spots import (
    BLIND_SPOTS as BLIND_SPOTS,
    blind_spots as blind_spots,
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
from tierwise.leaks.measuring import (
    DetectorReport as DetectorReport,
    LabelledText as LabelledText,
    measure_detector as measure_detector,
)
from tierwise.leaks.secret import Secret as Secret
from tierwise.leaks.spread import (
    Piece as Piece,
    SpreadLeak as SpreadLeak,
    find_spread_leaks as find_spread_leaks,
)

__all__ = [
    "BLIND_SPOTS",
    "ContextAudit",
    "ContextLeak",
    "Coverage",
    "Detector",
    "DetectorReport",
    "Examination",
    "Finding",
    "LabelledText",
    "Piece",
    "Secret",
    "SpreadLeak",
    "audit_context",
    "blind_spots",
    "find_all_leaks",
    "find_leaks",
    "find_spread_leaks",
    "measure_detector",
]
