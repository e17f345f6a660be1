"""The context audit of a world: which prompt carried what to whom. No model is asked."""

from omnia.audit.canaries import plant_canaries as plant_canaries
from omnia.audit.designs import (
    DESIGNS as DESIGNS,
    Design as Design,
    audit_design as audit_design,
    is_as_expected as is_as_expected,
)
from omnia.audit.flow import run_scripted_evening as run_scripted_evening

__all__ = [
    "DESIGNS",
    "Design",
    "audit_design",
    "is_as_expected",
    "plant_canaries",
    "run_scripted_evening",
]
