//! Reduces a crate with cargo-reduce, opens its `report.html` in a headless Chromium, and uses it as a person would: moves
//! the slider, copies, switches to dark colours, prints. A page that loads anything, or says anything on
//! its console, is refused. Says how long each page took to open.

mod checks;
mod chromium;
mod devtools;
mod reduction;

use anyhow::{Context, Result, bail};
use chromium::Chromium;
use reduction::{Result as Reduced, reduce_hostile};
use std::env;
use std::path::{Path, PathBuf};

const USAGE: &str = "\
usage: reduce-browser [--cargo-reduce PATH] [--chromium PATH] [--screenshots DIR] [PAGE..]

  --cargo-reduce   the program that makes the page [default: target/debug/cargo-reduce]
  --chromium       the browser [default: chromium]
  --screenshots    also write what the pages look like into a directory, for people
  PAGE             another report.html, of which only what all pages have is checked
";

/// What the command line says.
struct Arguments {
    cargo_reduce: PathBuf,
    chromium: PathBuf,
    screenshots: Option<PathBuf>,
    pages: Vec<PathBuf>,
}

fn main() -> Result<()> {
    let arguments = arguments(env::args().skip(1))?;
    let scratch = tempfile::tempdir().context("failed to make a directory")?;
    let reduced = reduce_hostile(&arguments.cargo_reduce, scratch.path())?;
    let mut browser = Chromium::start(&arguments.chromium, scratch.path())?;
    let checked = check_all(&mut browser, &reduced, &arguments);
    browser.close();
    checked
}

fn check_all(browser: &mut Chromium, reduced: &Reduced, arguments: &Arguments) -> Result<()> {
    let page = &reduced.page;
    browser.devtools.open(page)?;
    checks::of_any_page(&mut browser.devtools)?;
    checks::of_result(&mut browser.devtools, reduced)?;
    if let Some(directory) = &arguments.screenshots {
        checks::screenshots(&mut browser.devtools, directory, "reduced")?;
    }
    checks::without_script(&mut browser.devtools, page)?;
    for (number, page) in arguments.pages.iter().enumerate() {
        let page = page.canonicalize();
        browser
            .devtools
            .open(&page.context("failed to find a page")?)?;
        checks::of_any_page(&mut browser.devtools)?;
        if let Some(directory) = &arguments.screenshots {
            checks::screenshots(&mut browser.devtools, directory, &format!("page-{number}"))?;
        }
    }
    println!("the pages are as they should be");
    Ok(())
}

fn arguments(mut given: impl Iterator<Item = String>) -> Result<Arguments> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut arguments = Arguments {
        cargo_reduce: root.join("target/debug/cargo-reduce"),
        chromium: "chromium".into(),
        screenshots: None,
        pages: Vec::new(),
    };
    while let Some(argument) = given.next() {
        let mut value = || given.next().context(USAGE).map(PathBuf::from);
        match argument.as_str() {
            "--cargo-reduce" => arguments.cargo_reduce = value()?,
            "--chromium" => arguments.chromium = value()?,
            "--screenshots" => arguments.screenshots = Some(value()?),
            flag if flag.starts_with('-') => bail!("{USAGE}"),
            page => arguments.pages.push(page.into()),
        }
    }
    Ok(arguments)
}
