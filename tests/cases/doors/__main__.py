"""Which cases a door cannot say, and why."""

from collections import Counter

from tests.cases.case import all_questions
from tests.cases.doors import DOORS, Asked

QUESTIONS = [each for each in all_questions() if not each.is_refusal]
for name, door in DOORS.items():
    reasons = Counter(door.reason(Asked(each)) for each in QUESTIONS)
    for reason, count in reasons.items():
        print(f"{name:14} {count:4}  {reason or 'cases'}")
