"""The page in a real Chromium: what is seen, what a screen reader gets, that nothing is fetched or run (VIEW-01)."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tasks.evidence.html import render_html
from tasks.evidence.trust import Trust

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

CONTRAST = """
const channel = value => { value /= 255; return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4 };
const parse = text => text.match(/[\\d.]+/g).map(Number);
const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const behind = element => {
  for (let at = element; at; at = at.parentElement) {
    const colour = parse(getComputedStyle(at).backgroundColor);
    if (colour.length === 3 || colour[3] > 0) return colour;
  }
  return [255, 255, 255];
};
const found = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const text = walker.currentNode, element = text.parentElement;
  if (!text.data.trim() || element.classList.contains("said")) continue;
  const [light, dark] = [parse(getComputedStyle(element).color), behind(element)].map(luminance).sort((a, b) => b - a);
  found.push([(light + 0.05) / (dark + 0.05), element.tagName + "." + element.className, text.data.slice(0, 40)]);
}
return found;
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A headless Chromium with a profile of its own; absent, the test is skipped (where skips are allowed)."""
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if binary is None or driver is None:
        pytest.skip("needs Debian's chromium and chromium-driver")
    from selenium.webdriver import Chrome, ChromeOptions, ChromeService

    options = ChromeOptions()
    options.binary_location = binary
    profile = tmp_path_factory.mktemp("profile")
    for argument in ("headless=new", "no-sandbox", "disable-dev-shm-usage", f"user-data-dir={profile}"):
        options.add_argument(f"--{argument}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    with Chrome(options=options, service=ChromeService(driver)) as chrome:
        chrome.set_window_size(1_000, 1_400)
        chrome.get("about:blank")  # away from the page that Chromium starts with
        yield chrome


@pytest.fixture
def output(tmp_path: Path) -> Path:
    """Where pictures are kept: a directory that the environment names, else that of the test."""
    folder = Path(os.environ.get("FORGE_TEST_OUTPUT", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def opened(browser: Any, maker: Any, output: Path, kind: str) -> Path:
    """The page of a record, opened from a file."""
    file = output / f"{kind}.html"
    file.write_text(render_html(maker.record(kind), maker.store, Trust.of(maker.key.public)), "utf-8")
    browser.get(file.as_uri())
    return file


def scheme(browser: Any, name: str) -> None:
    features = [{"name": "prefers-color-scheme", "value": name}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def accessibility(browser: Any) -> list[tuple[str, str]]:
    """Role and name of everything that a screen reader meets."""
    nodes = browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    told = [node for node in nodes if not node.get("ignored")]
    return [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in told]


@pytest.mark.parametrize("kind", ["verified", "failed"])
def test_it_is_seen_in_both_schemes_and_fetches_nothing(browser: Any, maker: Any, output: Path, kind: str) -> None:
    browser.get_log("performance")  # what was before
    file = opened(browser, maker, output, kind)
    for name in ("light", "dark"):
        scheme(browser, name)
        picture = output / f"{kind}-{name}.png"
        assert browser.save_screenshot(str(picture))
        assert picture.stat().st_size > 10_000
        weak = [item for item in browser.execute_script(CONTRAST) if item[0] < 4.5]
        assert weak == [], f"contrast of text below 4.5 to 1 in the {name} scheme (WCAG 1.4.3)"
    pictures = [(output / f"{kind}-{name}.png").read_bytes() for name in ("light", "dark")]
    assert pictures[0] != pictures[1]
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = [item["params"]["request"]["url"] for item in messages if item["method"] == "Network.requestWillBeSent"]
    assert set(asked) == {file.as_uri()}
    assert browser.get_log("browser") == []


def test_a_screen_reader_finds_its_way(browser: Any, maker: Any, output: Path) -> None:
    opened(browser, maker, output, "failed")
    told = accessibility(browser)
    headings = [name for role, name in told if role == "heading"]
    assert headings[0] == "Forge record"
    for title in ("Result", "Requirement", "Attempts", "Strength", "Runs of the last attempt", "Repeat it"):
        assert title in headings
        assert ("region", title) in told
        assert ("link", title) in told
    roles = {role for role, _ in told}
    assert {"main", "navigation", "banner", "status", "list", "listitem"} <= roles
    assert all(name for role, name in told if role in {"link", "region", "navigation", "heading"}), "each has a name"
    texts = " ".join(name for role, name in told if role == "StaticText")
    assert "failed:" in texts, "a mark is said in words, not by colour alone"


def test_it_reads_and_leads_without_javascript(browser: Any, maker: Any, output: Path) -> None:
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        opened(browser, maker, output, "failed")
        texts = " ".join(name for _, name in accessibility(browser))
        for piece in ("VALIDATION_FAILED", "example_mismatch", "\\x1b", "forge verify"):
            assert piece in texts
        link = browser.find_element("css selector", "p.links a")
        target = link.get_attribute("href").partition("#")[2]
        assert browser.find_elements("css selector", f"details li#{target}"), "the run that a clause names is there"
        assert browser.find_elements("css selector", "ol.timeline > li")
        command = browser.find_element("css selector", "pre.command")
        assert command.value_of_css_property("user-select") == "all"
        assert browser.find_elements("css selector", "script") == []
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_tampered_record_has_the_banner_in_sight(browser: Any, maker: Any, output: Path) -> None:
    """VIEW-02."""
    record = maker.record("verified")
    broken = record.model_copy(update={"entries": record.entries[:-1]})
    file = output / "tampered.html"
    file.write_text(render_html(broken, maker.store, Trust.of(maker.key.public)), "utf-8")
    browser.get(file.as_uri())
    banner = browser.find_element("css selector", ".banner.bad")
    assert "NOT INTACT" in banner.text
    assert banner.rect["y"] < 300
    assert browser.save_screenshot(str(output / "tampered.png"))


def test_on_paper_nothing_is_cut(browser: Any, maker: Any, output: Path) -> None:
    opened(browser, maker, output, "failed")
    printed = browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"]
    assert len(printed) > 10_000
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        wide = browser.execute_script(
            "return document.documentElement.scrollWidth > document.documentElement.clientWidth"
        )
        assert wide is False
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
