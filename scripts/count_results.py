"""Prints "passed failed" of a JUnit file. A test that was skipped counts as neither."""

import sys
import xml.etree.ElementTree as ElementTree

passed = failed = 0
for case in ElementTree.parse(sys.argv[1]).iter("testcase"):
    if case.find("failure") is not None or case.find("error") is not None or case.get("status") == "fail":
        failed += 1
    elif case.find("skipped") is None:
        passed += 1
print(passed, failed)
