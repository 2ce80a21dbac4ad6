from golden_files import assert_golden
from reports.table import report


def test_an_empty_report():
    assert report({}) == ""


def test_prints_names_in_order():
    assert_golden(report({"Linus": 1, "Ada": 3, "Grace": 7}), "report.txt")
