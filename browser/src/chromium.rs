//! The browser as a process.

use crate::devtools::DevTools;
use anyhow::{Context, Result};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// What the browser prints before the address of its protocol.
const LISTENING: &str = "DevTools listening on ";

/// A headless Chromium.
pub(crate) struct Chromium {
    child: Child,
    pub(crate) devtools: DevTools,
}

impl Chromium {
    /// Starts it with a profile of its own.
    ///
    /// # Errors
    /// Where it is not there, or does not say where it listens.
    #[expect(clippy::disallowed_methods, reason = "the browser is a process")]
    pub(crate) fn start(program: &Path, scratch: &Path) -> Result<Self> {
        let profile = format!("--user-data-dir={}", scratch.join("profile").display());
        let mut command = Command::new(program);
        // Its own sandbox does not work for root, nor in most containers; the page is ours.
        command.args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--remote-debugging-port=0",
        ]);
        command.args(["--window-size=1000,1400", &profile, "about:blank"]);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .with_context(|| format!("failed to start `{}`", program.display()))?;
        let devtools = address(&mut child).and_then(|address| DevTools::connect(&address));
        match devtools {
            Ok(devtools) => Ok(Self { child, devtools }),
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }

    /// Ends it, with the processes that it has started.
    pub(crate) fn close(mut self) {
        if self.devtools.close_browser().is_err() {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

/// Where the browser listens. What it prints after that is read and thrown away, so that it never waits.
fn address(child: &mut Child) -> Result<String> {
    let stderr = child.stderr.take().context("there is no standard error")?;
    let mut lines = BufReader::new(stderr).lines();
    let mut printed = Vec::new();
    for line in lines.by_ref() {
        let line = line?;
        if let Some(address) = line.strip_prefix(LISTENING) {
            let address = address.trim().to_owned();
            std::thread::spawn(move || lines.for_each(drop));
            return Ok(address);
        }
        printed.push(line);
    }
    anyhow::bail!(
        "the browser ended before it listened:\n{}",
        printed.join("\n")
    )
}
