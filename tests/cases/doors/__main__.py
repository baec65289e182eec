"""Which cases a door cannot say, and why; and cases that columns bill and that do not say so."""

from collections import Counter, defaultdict

from tests.cases.case import Case, all_questions
from tests.cases.doors import DOORS, Asked
from tests.cases.doors.columns import on_columns

QUESTIONS = [Asked(each) for each in all_questions() if not each.is_refusal]
for door_name, door in DOORS.items():
    for reason, count in Counter(map(door.reason, QUESTIONS)).items():
        print(f"{door_name:14} {count:4}  {reason or 'cases'}")

billed = defaultdict[tuple[str, str], list[bool]](list)
for asked in QUESTIONS:
    case: Case = asked.case
    if "policy" not in case.change and not case.on_columns:
        door_says = not DOORS["columns"].reason(asked) and on_columns(asked)
        billed[case.path.name, case.title].append(door_says)
for (file, title), found in billed.items():
    if all(found):
        print(f"on_columns = true is not said in {file}: {title}")
