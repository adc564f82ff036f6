//! What must hold of a page that is open in a browser.

use crate::devtools::DevTools;
use crate::reduction::Result as Reduced;
use anyhow::{Context, Result, ensure};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A page is there after a second; where much else is done meanwhile it may take longer.
const LONGEST_TO_OPEN: f64 = 5_000.0;
/// No page is larger, in bytes.
const LARGEST: u64 = 2_000_000;

/// The width of a phone's screen in pixels of CSS.
const PHONE: u64 = 390;

/// The program that is shown.
const PROGRAM: &str = "document.querySelector('#program')";
const SLIDER: &str = "document.querySelector('#step')";

/// What any page has: it opens soon, loads nothing, and its slider shows each program.
///
/// # Errors
/// What is not as it should be.
pub(crate) fn of_any_page(page: &mut DevTools) -> Result<()> {
    let opened =
        page.value("performance.timing.loadEventEnd - performance.timing.navigationStart")?;
    let milliseconds = opened.as_f64().context("the time to open is no number")?;
    let bytes =
        page.value("new TextEncoder().encode(document.documentElement.outerHTML).length")?;
    let bytes = bytes.as_u64().context("the size is no number")?;
    println!(
        "{}: {bytes} bytes, open after {milliseconds} ms",
        page.text("document.title")?
    );
    ensure!(
        milliseconds < LONGEST_TO_OPEN,
        "the page takes {milliseconds} ms to open"
    );
    ensure!(bytes < LARGEST, "the page has {bytes} bytes");
    slider_moves(page)?;
    fits_a_phone(page)?;
    let complaints = page.complaints();
    ensure!(complaints.is_empty(), "{}", complaints.join("\n"));
    Ok(())
}

/// Goes from the result to the first program by the keyboard, back by the buttons, and then to each program.
fn slider_moves(page: &mut DevTools) -> Result<()> {
    let last = page.text(&format!("{SLIDER}.max"))?;
    ensure!(
        page.text(&format!("{SLIDER}.value"))? == last,
        "the result is not shown first"
    );
    page.value(&format!("{SLIDER}.focus()"))?;
    let told = page.text("document.querySelector('#told').textContent")?;
    page.press("ArrowLeft", 37)?;
    let after = page.text("document.querySelector('#told').textContent")?;
    ensure!(
        last == "0" || told != after,
        "the slider does not move: {told}"
    );
    page.press("Home", 36)?;
    let first = page.text(&format!("{SLIDER}.value"))?;
    ensure!(
        first == page.text(&format!("{SLIDER}.min"))?,
        "Home leads to {first}"
    );
    if first != last {
        page.click("document.querySelector('[data-move=\"1\"]')")?;
        ensure!(
            page.text(&format!("{SLIDER}.value"))? != first,
            "the button does nothing"
        );
    }
    let shown = page.value(&format!(
        "(() => {{ const shown = []; let longest = 0; \
         for (let at = +{SLIDER}.min; at <= +{SLIDER}.max; at++) {{ \
           const started = performance.now(); {SLIDER}.value = at; \
           {SLIDER}.dispatchEvent(new Event('input')); {PROGRAM}.offsetHeight; \
           longest = Math.max(longest, performance.now() - started); \
           shown.push([{PROGRAM}.textContent.trim().length, {PROGRAM}.querySelectorAll('del, ins').length]); }} \
         return {{ shown, longest }}; }})()"
    ))?;
    let steps = shown["shown"].as_array().context("nothing is shown")?;
    let empty = steps.iter().position(|step| step[0] == 0);
    ensure!(empty.is_none(), "nothing is shown at {empty:?}");
    let changing = steps.iter().filter(|step| step[1] != 0).count();
    println!(
        "  {} programs, {changing} with changes, each shown after {} ms at most",
        steps.len(),
        shown["longest"]
    );
    ensure!(
        steps.len() < 3 || changing > 0,
        "no step shows what it changed"
    );
    Ok(())
}

/// The page is no wider than the screen of a phone, with all that can be unfolded.
fn fits_a_phone(page: &mut DevTools) -> Result<()> {
    page.call(
        "Emulation.setDeviceMetricsOverride",
        json!({ "width": PHONE, "height": 844, "deviceScaleFactor": 1, "mobile": true }),
    )?;
    let width = page.value(
        "(() => { const folded = [...document.querySelectorAll('details:not([open])')]; \
         folded.forEach(one => one.open = true); const width = document.documentElement.scrollWidth; \
         folded.forEach(one => one.open = false); return width; })()",
    )?;
    page.call("Emulation.clearDeviceMetricsOverride", json!({}))?;
    let width = width.as_u64().context("the width is no number")?;
    ensure!(
        width <= PHONE,
        "the page is {width} pixels wide on a screen of {PHONE}"
    );
    Ok(())
}

/// What is shown and copied is the result, the report and the original, and nothing of them has acted.
///
/// # Errors
/// What is not as it should be.
pub(crate) fn of_result(page: &mut DevTools, reduced: &Reduced) -> Result<()> {
    let title = page.text("document.title")?;
    ensure!(title.starts_with("ICE: "), "the title is {title}");
    ensure!(
        page.value("document.images.length")? == 0,
        "the page has an image"
    );
    shows_programs(page, reduced)?;
    shows_additions(page)?;
    let copied = copied_by(page, "document.querySelector('#report .copy')")?;
    ensure!(
        copied.trim() == reduced.code.trim(),
        "the code is copied as\n{copied}"
    );
    let copied = copied_by(page, "document.querySelector('[data-copy=markdown]')")?;
    ensure!(
        copied == reduced.report,
        "the report is copied as\n{copied}"
    );
    dark_and_light(page)?;
    printed(page)?;
    let complaints = page.complaints();
    ensure!(complaints.is_empty(), "{}", complaints.join("\n"));
    Ok(())
}

/// The first program is the original, and the last one the result.
fn shows_programs(page: &mut DevTools, reduced: &Reduced) -> Result<()> {
    let shows = |page: &mut DevTools, step: &str| {
        page.value(&format!(
            "document.querySelector('#whole').checked = true; {SLIDER}.value = {step}; \
             {SLIDER}.dispatchEvent(new Event('input'))"
        ))?;
        page.text(&format!(
            "[...{PROGRAM}.querySelectorAll('pre code > :not(del)')].map((it) => it.textContent).join('')"
        ))
    };
    let last = shows(page, &format!("{SLIDER}.max"))?;
    ensure!(
        words(&last) == words(&reduced.code),
        "the last program is\n{last}"
    );
    let first = shows(page, "0")?;
    let original = reduced.original.replace('\u{202e}', "\\u{202e}");
    ensure!(
        words(&first) == words(&original),
        "the first program is\n{first}"
    );
    Ok(())
}

/// Some steps of this reduction also put something there.
fn shows_additions(page: &mut DevTools) -> Result<()> {
    let added = page.value(&format!(
        "(() => {{ let added = 0; for (let at = 1; at <= +{SLIDER}.max; at++) {{ {SLIDER}.value = at; \
         {SLIDER}.dispatchEvent(new Event('input')); added += {PROGRAM}.querySelectorAll('ins').length; }} \
         return added; }})()"
    ))?;
    ensure!(added.as_u64() > Some(0), "no step shows what it added");
    Ok(())
}

/// A text without white space.
fn words(text: &str) -> String {
    text.split_whitespace().collect()
}

/// What is in the clipboard after a button was clicked.
fn copied_by(page: &mut DevTools, button: &str) -> Result<String> {
    let permissions = json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] });
    page.call("Browser.grantPermissions", permissions)?;
    let words = page.text(&format!("{button}.textContent"))?;
    page.click(button)?;
    let told = page.text(&format!(
        "new Promise((done) => {{ const wait = () => {{ const told = {button}.textContent; \
         if (told !== {words:?}) done(told); else setTimeout(wait, 10); }}; wait(); }})"
    ))?;
    ensure!(told == "Copied", "the button says {told}");
    page.text("navigator.clipboard.readText()")
}

fn media(page: &mut DevTools, media: &str, scheme: &str) -> Result<Value> {
    let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
    page.call(
        "Emulation.setEmulatedMedia",
        json!({ "media": media, "features": features }),
    )
}

/// The page follows the browser's choice, and its text is to be read in both.
fn dark_and_light(page: &mut DevTools) -> Result<()> {
    let brightness = "(() => { const of = (name) => getComputedStyle(document.body)[name].match(/\\d+/g)
        .slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3; return [of('backgroundColor'), of('color')]; })()";
    for (scheme, is_dark) in [("light", false), ("dark", true)] {
        media(page, "screen", scheme)?;
        let found = page.value(brightness)?;
        let (paper, ink) = (found[0].as_f64(), found[1].as_f64());
        let (paper, ink) = paper.zip(ink).context("there are no colours")?;
        ensure!((paper < ink) == is_dark, "{scheme} has {found}");
        ensure!(
            (paper - ink).abs() > 150.0,
            "{scheme} has too little contrast: {found}"
        );
    }
    Ok(())
}

/// Paper has no buttons.
fn printed(page: &mut DevTools) -> Result<()> {
    media(page, "print", "dark")?;
    let seen = page.value(
        "[...document.querySelectorAll('button, input')].filter((it) => it.offsetParent !== null).length",
    )?;
    ensure!(seen == 0, "{seen} buttons are printed");
    let paper = page.text("getComputedStyle(document.body).backgroundColor")?;
    ensure!(paper == "rgb(255, 255, 255)", "the paper is {paper}");
    media(page, "screen", "light").map(drop)
}

/// Without the script all but the slider and the buttons is there.
///
/// # Errors
/// What is not as it should be.
pub(crate) fn without_script(page: &mut DevTools, file: &Path) -> Result<()> {
    page.call(
        "Emulation.setScriptExecutionDisabled",
        json!({ "value": true }),
    )?;
    page.open(file)?;
    let shown = page.text("document.body.innerText")?;
    for words in [
        "Report",
        "Reproduces with",
        "Size over queries",
        "Passes",
        "Time",
        "The table below needs none",
    ] {
        ensure!(
            shown.contains(words),
            "without the script, no {words} in\n{shown}"
        );
    }
    ensure!(
        !shown.contains("Copy"),
        "a button is there that does nothing"
    );
    page.call(
        "Emulation.setScriptExecutionDisabled",
        json!({ "value": false }),
    )
    .map(drop)
}

/// Writes what the page looks like: light, dark and printed.
///
/// # Errors
/// Where they cannot be written.
pub(crate) fn screenshots(page: &mut DevTools, directory: &Path, name: &str) -> Result<()> {
    fs::create_dir_all(directory)?;
    let middle = format!("Math.ceil({SLIDER}.max / 3)");
    page.value(&format!(
        "document.querySelector('#whole').checked = false; {SLIDER}.value = {middle}; \
         {SLIDER}.dispatchEvent(new Event('input')); scrollTo(0, 0)"
    ))?;
    for scheme in ["light", "dark"] {
        media(page, "screen", scheme)?;
        let shot = page.call(
            "Page.captureScreenshot",
            json!({ "captureBeyondViewport": true,
            "clip": { "x": 0, "y": 0, "width": 1000, "height": 4000, "scale": 1 } }),
        )?;
        write(directory, &format!("{name}-{scheme}.png"), &shot["data"])?;
    }
    media(page, "", "light")?;
    let printed = page.call("Page.printToPDF", json!({ "printBackground": false }))?;
    write(directory, &format!("{name}.pdf"), &printed["data"])
}

fn write(directory: &Path, name: &str, data: &Value) -> Result<()> {
    let data = data.as_str().context("there is no picture")?;
    let bytes = BASE64_STANDARD.decode(data)?;
    fs::write(directory.join(name), bytes).with_context(|| format!("failed to write `{name}`"))
}
