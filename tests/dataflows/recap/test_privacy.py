"""What privacy leaves of a segment."""

from __future__ import annotations

import pytest
from recap_days import away, digest_of, page, projection_of, segment

from temporal_recall.dataflows.recap.privacy import PRIVATE_LABEL, readings_of, safe_text, safe_url
from temporal_recall.schemas.recap_settings import PrivacySettings, RedactionRule

ON, OFF = PrivacySettings(), PrivacySettings(is_enabled=False)


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://docs.example/guide?page=2#top", "docs.example/guide"),
        ("https://docs.example/", "docs.example"),
        ("https://ana:hunter2@git.example/x.git", "git.example/x.git"),
        ("ana:hunter2@git.example/x.git", "git.example/x.git"),
        ("https://shop.example/cart;jsessionid=8A1F/pay", "shop.example/cart"),
        ("http://localhost:8080/admin?key=1", "localhost:8080/admin"),
        ("localhost:8080/admin", "localhost:8080/admin"),
        ("https://bank.example/t/9f86d081884c7d659a2feaa0c55ad015/x", "bank.example/t/[token]/x"),
        ("https://id.example/550e8400-e29b-41d4-a716-446655440000", "id.example/[token]"),
        ("https://id.example/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "id.example/[token]"),
        ("https://id.example/reset/dGhpcyBpcyBhIHNlY3JldCB0b2tlbg==", "id.example/reset/[token]"),
        ("https://blog.example/a-very-long-article-in-2026", "blog.example/a-very-long-article-in-2026"),
        ("https://zh.example/wiki/%E6%97%B6%E9%97%B4", "zh.example/wiki/时间"),
        ("https://x.example/a%3Ftoken=1", "x.example/a%3Ftoken=1"),
        ("file:///home/ana/2025.pdf", "/home/ana/2025.pdf"),
        ("about:blank", "about:blank"),
        ("data:text/html,<b>secret</b>", "data:"),
        ("mailto:ana@example.org", "mailto:"),
        ("javascript:alert(1)", "javascript:"),
    ],
)  # fmt: skip
def test_urls_are_host_and_path(url: str, safe: str) -> None:
    assert safe_url(url) == safe


def test_urls_and_signed_tokens_inside_other_texts_are_cut_too() -> None:
    text = "see https://ana:pw@x.example/a?session=1 and eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln now"
    assert safe_text(text) == "see x.example/a and [token] now"


def test_an_incognito_page_keeps_its_time_alone() -> None:
    digest = digest_of([page("https://clinic.example/r", "15:00", "15:20", "Results", attributes={"incognito": True})])
    assert f"- {PRIVATE_LABEL} 20m, 1 visit" in digest
    assert "clinic" not in digest
    assert "Results" not in digest


@pytest.mark.parametrize(
    "title",
    [
        "Clinic results — Private Browsing",
        "Clinic results - Mozilla Firefox (Private Browsing)",
        "Clinic results - Google Chrome (Incognito)",
        "Clinic results and 2 more pages - [InPrivate] - Microsoft Edge",
        "Clinic results - 隐身模式",
        "Clinic results — Navigation privée",
    ],
)
def test_the_title_of_a_private_window_is_hidden(title: str) -> None:
    digest = digest_of([segment("firefox", "15:00", "15:20", title)])
    assert "firefox 20m" in digest
    assert PRIVATE_LABEL in digest
    assert "Clinic" not in digest


@pytest.mark.parametrize("title", ["How private browsing works - Wiki", "Incognito, a novel", "无痕山谷徒步"])
def test_a_title_about_privacy_is_not_private(title: str) -> None:
    assert title.split(" ")[0] in digest_of([segment("firefox", "15:00", "15:20", title)])


def test_a_window_that_shows_an_incognito_page_at_that_time_is_hidden_though_its_title_does_not_say_so() -> None:
    private = page("https://clinic.example", "15:00", "15:10", "Results", attributes={"incognito": True})
    during = segment("chrome", "15:00", "15:10", "Results - Chromium")
    later = segment("chrome", "18:00", "18:10", "Results - Chromium")
    (hidden, kept) = (reading.path for reading in readings_of([during, private, later], ON)[::2])
    assert hidden == ("chrome", PRIVATE_LABEL)
    assert kept == ("chrome", "Results - Chromium")


class TestRules:
    chrome = segment("chrome", "10:00", "10:10", "Order 5531 confirmed - ana@example.org")

    def _path(self, *rules: RedactionRule) -> tuple[str, ...]:
        return readings_of([self.chrome], PrivacySettings(rules=rules))[0].path

    def test_a_dropped_title_leaves_the_app(self) -> None:
        assert self._path(RedactionRule(source="system", field="title")) == ("chrome",)

    def test_a_pattern_that_is_not_found_leaves_the_title(self) -> None:
        assert len(self._path(RedactionRule(field="title", pattern="invoice"))) == 2

    def test_a_replacement_stands_for_each_match_and_is_no_pattern_itself(self) -> None:
        rule = RedactionRule(field="title", pattern=r"[\w.]+@[\w.]+", action="redact", replacement=r"\1")
        assert self._path(rule)[1] == r"Order 5531 confirmed - \1"

    @pytest.mark.parametrize(
        ("lists", "is_dropped"),
        [
            ({"only_apps": ("Chrome",)}, True),
            ({"only_apps": ("mail",)}, False),
            ({"except_apps": ("CHROME",)}, False),
            ({"except_apps": ("mail",)}, True),
        ],
    )
    def test_lists_of_apps_narrow_a_rule(self, lists: dict[str, tuple[str, ...]], is_dropped: bool) -> None:
        assert (len(self._path(RedactionRule(field="title", **lists))) == 1) is is_dropped

    def test_a_rule_for_another_source_does_nothing(self) -> None:
        assert len(self._path(RedactionRule(source="browser", field="title"))) == 2

    def test_rules_on_the_url_see_it_whole(self) -> None:
        rule = RedactionRule(source="browser", field="url", pattern=r"^https://[^/]*bank\.")
        (reading,) = readings_of(
            [page("https://my.bank.example/t?x=1", "9:00", "9:10", "T")], PrivacySettings(rules=(rule,))
        )
        assert reading.path == ("T",)

    def test_rules_hold_for_private_windows_too(self) -> None:
        private = segment("secret app", "10:00", "10:10", "x (Private Browsing)")
        rule = RedactionRule(field="app", pattern="^secret")
        assert readings_of([private], PrivacySettings(rules=(rule,)))[0].path == ("unknown", PRIVATE_LABEL)

    def test_the_stored_segment_is_untouched(self) -> None:
        self._path(RedactionRule(field="title"))
        assert self.chrome.title == "Order 5531 confirmed - ana@example.org"

    def test_a_pattern_that_is_none_is_refused(self) -> None:
        with pytest.raises(ValueError, match="not a regular expression"):
            RedactionRule(field="title", pattern="(")


def test_switched_off_titles_and_urls_leave_as_they_are() -> None:
    (reading,) = readings_of([page("https://x.example/a?b=1", "9:00", "9:10", "T")], OFF)
    assert reading.path == ("https://x.example/a?b=1", "T")


def test_away_has_no_values() -> None:
    assert readings_of([away("9:00", "9:10", title="lock screen of ana")], ON)[0].path == ()


def test_settings_change_the_projection_version() -> None:
    plain = projection_of([])
    strict = projection_of([], privacy_settings=PrivacySettings(rules=(RedactionRule(field="title"),)))
    assert plain.projection_version != strict.projection_version
