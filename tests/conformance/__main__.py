"""`python -m tests.conformance` rewrites the page of what is proven; its diff is reviewed."""

from tests.conformance.page import PAGE, page_text

PAGE.write_text(page_text(), encoding="utf-8")
print(f"written: {PAGE.name}")
