//! A reduction whose page is opened: of a crate whose code tries to be a part of it.

use anyhow::{Context, Result as Outcome, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the original has besides: if any of this acted in a page, its title would be another one.
const HOSTILE: &str = r#"
/// </script><script>document.title = "owned"</script><img src="https://example.com/a.png" onerror="document.title='owned'">
pub fn hostile() -> &'static str {
    "</script></pre></details><script>document.title = 'owned'</script><!-- <style>* { display: none }</style> ]]> \u{202e} &lt;"
}
"#;

/// The files of a result.
pub(crate) struct Result {
    pub(crate) page: PathBuf,
    /// `reduced.rs`
    pub(crate) code: String,
    /// `report.md`
    pub(crate) report: String,
    /// The file of the original that has what is hostile.
    pub(crate) original: String,
}

/// Reduces a fixture that crashes the compiler.
#[expect(clippy::disallowed_methods, reason = "cargo-reduce is a process")]
pub(crate) fn reduce_hostile(cargo_reduce: &Path, scratch: &Path) -> Outcome<Result> {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/standalone.rs");
    let mut original = fs::read_to_string(&fixture).context("failed to read the fixture")?;
    original.push_str(HOSTILE);
    let (input, output) = (scratch.join("input.rs"), scratch.join("out"));
    fs::write(&input, &original)?;
    let mut command = Command::new(cargo_reduce);
    command.args(["reduce", "--ice", "--no-daemon", "--no-cache", "--output"]);
    command.arg(&output).arg(&input).current_dir(scratch);
    // As the first lines of the fixture say.
    let flags = "--edition 2021 -- --crate-type lib --cfg timed -C opt-level=3";
    command.args(flags.split(' '));
    let ended = command.output();
    let ended = ended.with_context(|| format!("failed to start `{}`", cargo_reduce.display()))?;
    let printed = String::from_utf8_lossy(&ended.stderr);
    ensure!(ended.status.success(), "cargo-reduce failed:\n{printed}");
    let read = |name: &str| {
        let text = fs::read_to_string(output.join(name));
        text.with_context(|| format!("failed to read `{name}` of the result"))
    };
    Ok(Result {
        page: output.join("report.html"),
        code: read("reduced.rs")?,
        report: read("report.md")?,
        original,
    })
}
