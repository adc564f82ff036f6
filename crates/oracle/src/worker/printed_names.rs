//! What the compiler prints of the names in a program: which definition each of them means, before types are checked.

use super::Worker;
use super::tree_paths::TreePaths;
use crate::compiler::args;
use crate::error::OracleError;
use crate::plan::{Plan, Sources};
use crate::system::process::Ending;
use camino::Utf8Path;
use reduce_platform::Cancel;
use reduce_platform::files::open_unfollowed;
use std::io::{BufRead, BufReader, Read};

/// What the compiler is to print of a program.
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

    /// Whether all was printed when the compiler ended. A bug that is delayed shows after the last body.
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

/// What is printed behind so many bytes is not read.
const MOST_BYTES: u64 = 400 << 20;
/// Of a longer line the rest is not read: it is a literal of the program.
const LONGEST_LINE: u64 = 4096;

impl Worker {
    /// Hands on, line by line, what the compiler prints with `-Zunpretty`, an option that is let pass for
    /// this run alone. It may have many times the size of the program, so it is never in memory as a whole.
    ///
    /// Returns how it calls the files of the program; `None` where it prints nothing or does not come to an end.
    ///
    /// # Errors
    /// When the tree cannot be written or the compiler cannot be started.
    pub fn print_names(
        &mut self,
        plan: &Plan,
        sources: &Sources,
        cancel: &Cancel,
        printout: Printout,
        each: &mut dyn FnMut(&str),
    ) -> Result<Option<TreePaths>, OracleError> {
        if plan.runs_command() || plan.call.compiler.is_rustdoc() {
            return Ok(None);
        }
        self.place.write(sources)?;
        let mut plan = plan.for_people();
        let env = &mut plan.call.env;
        env.insert("RUSTC_BOOTSTRAP".to_owned(), "1".to_owned());
        let mut query = self.query(&plan, cancel);
        if query.compile_auxiliaries()?.is_some() {
            return Ok(None);
        }
        let to = query.place.program();
        let printing = args::with_emit(&plan.call.args, "");
        let mut printing = [printing, vec![printout.option().to_owned()]].concat();
        if plan.execution().is_none() {
            printing.push(format!("-o{to}"));
        }
        let outcome = query.compile_in_tree(&printing)?;
        let is_whole = printout.is_whole(&outcome.ending);
        let is_read = is_whole && each_line(&to, each);
        query.place.clean_up()?;
        Ok(is_read.then(|| query.tree_paths()))
    }
}

/// Reads the lines of a file that others have written: no link is followed. Returns whether there is one.
fn each_line(path: &Utf8Path, each: &mut dyn FnMut(&str)) -> bool {
    let Ok(file) = open_unfollowed(path.as_std_path()) else {
        return false;
    };
    let is_file = file.metadata().is_ok_and(|data| data.is_file());
    is_file && read_lines(BufReader::new(file.take(MOST_BYTES)), each).is_ok()
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
        assert!(each_line(&dir.join("file"), &mut |_| {}));
        assert!(!each_line(&dir.join("link"), &mut |_| {}));
        assert!(!each_line(dir, &mut |_| {}));
        assert!(!each_line(&dir.join("nothing"), &mut |_| {}));
    }
}
