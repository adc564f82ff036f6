//! Advice about lines of rustc's tests that are not obeyed, though they decide how a file is
//! compiled.

use super::line::Line;

/// Makes a sentence for each line that decides how a file is compiled and is not obeyed.
pub(super) fn sentences(lines: &[&Line<'_>]) -> Vec<String> {
    let unread = lines.iter().filter_map(|line| {
        let advice = advice(line)?;
        Some(format!("the line `{}` is not read: {advice}", line.text))
    });
    let mut sentences: Vec<String> = unread.collect();
    sentences.dedup();
    sentences
}

/// Returns advice what to do instead of a line, if it decides how the file is compiled.
fn advice(line: &Line<'_>) -> Option<String> {
    Some(match line.name {
        "aux-bin" | "aux-codegen-backend" => {
            let path = line.value.rsplit('=').next().unwrap_or(line.value);
            format!("compile `auxiliary/{path}` and add `-- --extern NAME=PATH`")
        }
        "add-minicore" | "add-core-stubs" => {
            "compile `minicore.rs` of rustc's tests and add `-- --extern minicore=PATH`".to_owned()
        }
        "incremental" => "each program is compiled anew, without `-Cincremental`".to_owned(),
        _ => return None,
    })
}
