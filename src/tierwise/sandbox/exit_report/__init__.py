"""What a session took, and what keeps its process alive when pytest is done."""

from tierwise.sandbox.exit_report.report import (
    ExitReport as ExitReport,
    Wait as Wait,
    read_exit_report as read_exit_report,
)
