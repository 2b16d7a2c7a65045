"""What has to be set before any test imports scipy, and the list of scikit-learn's checks at the end of a run."""

import collections
import os
import re

# Without it scikit-learn skips its check of array API input, which is one of the contract's.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

collect_ignore = ["cluster"]  # of `make test-cluster`


def outcomes_of_checks(stats):
    """{check: {outcome: estimators}} of the tests that test_sklearn_contract.py made of scikit-learn's checks."""
    found = collections.defaultdict(collections.Counter)
    for outcome in ("passed", "failed", "error", "skipped", "xfailed", "xpassed"):
        for report in stats.get(outcome, []):
            check = re.search(r"test_contract\w*\[.*?-(check_.*)\]$", getattr(report, "nodeid", ""))
            if check:
                found[check[1]][outcome] += 1
    return found


def pytest_terminal_summary(terminalreporter):
    checks = outcomes_of_checks(terminalreporter.stats)
    if not checks:
        return
    terminalreporter.section("scikit-learn's checks, and the configurations of our estimators they ran on")
    for check, outcomes in sorted(checks.items()):
        terminalreporter.write_line(f"{check}: " + ", ".join(f"{count} {outcome}" for outcome, count in outcomes.items()))
