//! Has the compiler print a program with `-Zunpretty`: which definition each name means, before types are checked,
//! and the text with its macro calls expanded. It goes to a file, as procedural macros may print to standard output.

use super::Worker;
use super::tree_paths::TreePaths;
use crate::compiler::args;
use crate::error::OracleError;
use crate::plan::{Plan, Sources};
use crate::system::process::Ending;
use camino::Utf8Path;
use reduce_platform::Cancel;
use reduce_platform::files::open_unfollowed;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};

/// The kind of output about a program that the compiler is to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Printout {
    /// Every definition with what it mentions, before types are checked.
    Definitions,
    /// Every body with the functions that it calls, once types are checked.
    Bodies,
}

impl Printout {
    fn option(self) -> &'static str {
        match self {
            Self::Definitions => "-Zunpretty=hir-tree",
            Self::Bodies => "-Zunpretty=thir-flat",
        }
    }

    /// Whether a compiler with this ending has printed everything. A bug that is delayed shows after the last body.
    fn is_whole(self, ending: &Ending) -> bool {
        let statuses: &[i32] = match self {
            Self::Definitions => &[0],
            Self::Bodies => &[0, 101],
        };
        statuses
            .iter()
            .any(|&status| *ending == Ending::Exited(status))
    }
}

/// The limit of a printed line that is read, in bytes: a longer line has a literal of the program.
const LONGEST_LINE: u64 = 4096;

impl Worker {
    /// Passes on, line by line, the text that the compiler prints with `-Zunpretty`, an option that is let pass for
    /// this run alone. It may have many times the size of the program, so it is never in memory as a whole.
    ///
    /// Returns how it calls the files of the program; `None` where it prints nothing, or more than `most_bytes`, or does not
    /// come to an end.
    ///
    /// # Errors
    /// When the tree cannot be written or the compiler cannot be started.
    pub fn print_names(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
        (printout, most_bytes): (Printout, u64),
        each: &mut dyn FnMut(&str),
    ) -> Result<Option<TreePaths>, OracleError> {
        if plan.runs_command() || plan.call.compiler.is_rustdoc() {
            return Ok(None);
        }
        let mut plan = plan.clone();
        plan.run_policy.limits.file_bytes = most_bytes;
        let option = printout.option();
        self.print(&plan, sources, cancel, option, &mut |ending, file| {
            printout.is_whole(ending) && each_line(file, most_bytes, each)
        })
    }

    /// Returns the program with its macro calls expanded, as the compiler prints it. `None` where it does not come to an
    /// end, or prints too much.
    ///
    /// # Errors
    /// When the tree cannot be written or the compiler cannot be started.
    pub fn expand(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
    ) -> Result<Option<String>, OracleError> {
        let mut expanded = None;
        let (option, most) = ("-Zunpretty=expanded", plan.run_policy.limits.output_bytes);
        self.print(plan, sources, cancel, option, &mut |ending, file| {
            if *ending == Ending::Exited(0) {
                expanded = whole_text(file, most);
            }
            expanded.is_some()
        })?;
        Ok(expanded)
    }

    /// Runs the compiler with its output in a file, and has `read` read that file before it is removed. Returns how
    /// the compiler calls the files of the program, if `read` has got what it needs.
    fn print(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
        option: &str,
        read: &mut dyn FnMut(&Ending, &Utf8Path) -> bool,
    ) -> Result<Option<TreePaths>, OracleError> {
        self.place.write(sources)?;
        let mut plan = plan.for_people();
        let call = &mut plan.call;
        call.env
            .insert("RUSTC_BOOTSTRAP".to_owned(), "1".to_owned());
        call.compiler.path = call.compiler.frontend();
        let mut query = self.query(&plan, cancel);
        if query.compile_auxiliaries()?.is_some() {
            return Ok(None);
        }
        let to = query.place.program();
        let printing = args::with_emit(&plan.call.args, "");
        let mut printing = [printing, vec![option.to_owned()]].concat();
        if plan.execution().is_none() {
            printing.push(format!("-o{to}"));
        }
        let outcome = query.compile_in_tree(&printing)?;
        let is_read = read(&outcome.ending, &to);
        query.place.clean_up()?;
        Ok(is_read.then(|| query.tree_paths()))
    }
}

/// Opens a file that others have written: no link is followed.
fn opened(path: &Utf8Path) -> Option<File> {
    let file = open_unfollowed(path.as_std_path()).ok()?;
    let is_file = file.metadata().is_ok_and(|data| data.is_file());
    is_file.then_some(file)
}

/// Reads the lines in the first bytes of a printout's file. Returns whether there is one.
fn each_line(path: &Utf8Path, most_bytes: u64, each: &mut dyn FnMut(&str)) -> bool {
    let mut read = |file: File| read_lines(BufReader::new(file.take(most_bytes)), each);
    opened(path).is_some_and(|file| read(file).is_ok())
}

/// Returns the text of a printout's file, if it has at most so many bytes.
fn whole_text(path: &Utf8Path, most: usize) -> Option<String> {
    let mut text = String::new();
    let mut file = opened(path)?.take(most as u64 + 1);
    let n_bytes = file.read_to_string(&mut text).ok()?;
    (n_bytes <= most).then_some(text)
}

fn read_lines(mut from: impl BufRead, each: &mut dyn FnMut(&str)) -> std::io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        let n_bytes = (&mut from)
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)?;
        if n_bytes == 0 {
            return Ok(());
        }
        if line.pop_if(|last| *last == b'\n').is_none() {
            from.skip_until(b'\n')?;
        }
        each(&String::from_utf8_lossy(&line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        read_lines(text, &mut |line| lines.push(line.to_owned())).unwrap();
        lines
    }

    #[test]
    fn lines_are_handed_on_one_by_one() {
        assert_eq!(lines(b"a\n\n  b\n\xffc"), ["a", "", "  b", "\u{fffd}c"]);
        assert_eq!(lines(b""), [""; 0]);
    }

    #[test]
    fn the_rest_of_a_long_line_is_left_out() {
        let long = "x".repeat(10_000);
        let read = lines(format!("{long}\nnext\n{long}").as_bytes());
        let lengths: Vec<usize> = read.iter().map(String::len).collect();
        assert_eq!(lengths, [4096, 4, 4096]);
    }

    #[test]
    fn no_link_is_followed() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        std::fs::write(dir.join("file"), "line").unwrap();
        std::os::unix::fs::symlink(dir.join("file"), dir.join("link")).unwrap();
        assert!(each_line(&dir.join("file"), 1000, &mut |_| {}));
        assert!(!each_line(&dir.join("link"), 1000, &mut |_| {}));
        assert!(!each_line(dir, 1000, &mut |_| {}));
        assert!(!each_line(&dir.join("nothing"), 1000, &mut |_| {}));
    }
}
