//! The parts of a compiler's output that belong in a report.

/// Splits the frames of a printed backtrace off: what is left, and the frames.
pub(super) fn without_backtrace(output: &str) -> (String, String) {
    let (mut kept, mut frames) = (Vec::new(), Vec::new());
    for line in output.lines() {
        if line.trim() == "stack backtrace:" {
            continue;
        }
        match is_frame(line) {
            true => frames.push(line),
            false => kept.push(line.trim_end()),
        }
    }
    (kept.join("\n").trim().to_owned(), frames.join("\n"))
}

/// Whether a line is of a backtrace: `   0: rustc_x::f`, the `at a.rs:1:2` below it, or the line that counts
/// frames which the runtime has left out.
fn is_frame(line: &str) -> bool {
    let Some(frame) = line.strip_prefix("  ").map(str::trim_start) else {
        return false;
    };
    let number = frame.split_once(": ").map(|(number, _)| number);
    frame.starts_with("at ")
        || is_omission(frame)
        || number.is_some_and(|number| number.parse::<u32>().is_ok())
}

/// Whether a line is `[... omitted 3 frames ...]`, as a short backtrace has it between two frames or
/// after the last one.
fn is_omission(line: &str) -> bool {
    let count = line.strip_prefix("[... omitted ");
    let count = count.and_then(|rest| rest.split_once(' '));
    count.is_some_and(|(count, rest)| {
        count.parse::<u32>().is_ok() && matches!(rest.trim_end(), "frame ...]" | "frames ...]")
    })
}

/// Removes the warnings before an error or a crash from a compiler's output, which stays as it is where there is no
/// error. A message ends with an empty line.
pub(super) fn without_warnings(output: &str) -> String {
    let is_warning = |message: &&str| {
        let message = message.trim_start();
        message.starts_with("warning: ") || message.starts_with("warning[")
    };
    let others: Vec<&str> = output
        .split("\n\n")
        .filter(|one| !is_warning(one))
        .collect();
    match others.iter().all(|one| one.trim().is_empty()) {
        true => output.to_owned(),
        false => others.join("\n\n").trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_before_a_crash_are_left_out() {
        let warning = "warning: unused variable: `x`\n --> a.rs:1:5\n  |\n1 | let x;\n\n";
        let crash = "error: internal compiler error: bug\n --> a.rs:2:1\n\nthread 'rustc' (7) panicked at a.rs:1:2:\n\n\
            warning: 1 warning emitted\n\nnote: we would appreciate a bug report";
        let left = without_warnings(&format!("{warning}{crash}"));
        let expected = "error: internal compiler error: bug\n --> a.rs:2:1\n\nthread 'rustc' (7) panicked at a.rs:1:2:\n\n\
            note: we would appreciate a bug report";
        assert_eq!(left, expected);
        assert_eq!(without_warnings(warning), warning);
    }

    #[test]
    fn backtraces_are_split_off_and_what_follows_stays() {
        let output = "thread 'rustc' panicked at a.rs:1:2:\nboom\nstack backtrace:\n   0: 0x1 - f\n             at b.rs:3\nnote: more";
        let (kept, frames) = without_backtrace(output);
        assert_eq!(
            kept,
            "thread 'rustc' panicked at a.rs:1:2:\nboom\nnote: more"
        );
        assert_eq!(frames, "   0: 0x1 - f\n             at b.rs:3");
    }

    #[test]
    fn the_count_of_omitted_frames_goes_with_the_frames() {
        let frames = "   0: rustc_a::f\n      [... omitted 1 frame ...]\n   1: rustc_b::g\n      [... omitted 12 frames ...]";
        let output = format!("boom\nstack backtrace:\n{frames}\nquery stack during panic:");
        let expected = (
            "boom\nquery stack during panic:".to_owned(),
            frames.to_owned(),
        );
        assert_eq!(without_backtrace(&output), expected);
        assert!(!is_frame("      [... omitted some ...]"));
        assert!(!is_frame("  [... omitted 2 lines ...]"));
    }

    #[test]
    fn quoted_source_is_no_frame() {
        assert!(!is_frame("12 | let x: u8 = 1;"));
        assert!(!is_frame("   --> src/a.rs:1:2"));
    }
}
