//! The shell script around a command.
//!
//! No server says with what certainty a command was run: a program that is missing there looks like one that has failed. So
//! what is run is a script of `sh`, which ends with status 0 whatever happens, and says last how the command has
//! ended, in lines that begin with a word of their own (the *sentinel*). Without these lines nothing is known of the
//! command. The word is a digest of all that the action reads, which no file of the action can contain.
//!
//! The command prints to files, so that nothing that it leaves behind can print after the script, and so that a limit holds
//! for what it prints too.

use reduce_remote_protocol::{Command, End, Limits};
use std::fmt::Write as _;
use std::time::Duration;

/// The name of the script's file, below the root of the command. No other file of ours has a name that begins so.
pub(crate) const SCRIPT: &str = ".command.sh";
/// The file with the command's standard output, which the script writes beside the command's files.
const STDOUT: &str = ".stdout";
const STDERR: &str = ".stderr";
/// The file with the shell's messages about signals.
const MESSAGES: &str = ".messages";
/// The file that the script makes if it could not set a limit.
const FAILED: &str = ".limits";
/// The file to which the script writes the CPU time of the command.
const TIMES: &str = ".times";
/// The number of bytes of a block, in which the shell counts a limit on the size of files.
const BLOCK: u64 = 512;

/// The report of the script about the end of its command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) end: End,
    pub(crate) cpu: Duration,
    pub(crate) root: String,
    pub(crate) names_root: bool,
    /// The standard output of the command, without the lines that the script adds.
    pub(crate) stdout: Vec<u8>,
}

/// The script for a command. The word is its first argument.
pub(crate) fn script(command: &Command) -> String {
    let mut env = String::new();
    for (name, value) in &command.env {
        let _ = write!(env, " {}", quoted(&format!("{name}={value}")));
    }
    let args: String = command
        .args
        .iter()
        .map(|arg| format!(" {}", quoted(arg)))
        .collect();
    let program = quoted(&command.program);
    let place = match &command.place {
        Some(place) => format!("[ \"$R\" = {} ] || how=moved\n", quoted(place)),
        None => String::new(),
    };
    let outputs: String = command
        .outputs
        .iter()
        .map(|path| format!("names \"$R/\"{}\n", quoted(path.as_str())))
        .collect();
    let dir = quoted(command.dir.as_str());
    let limits = limits(&command.limits);
    let most = command.limits.output_bytes;
    format!(
        "word=$1
R=$(pwd -P)
case $R in /) R= ;; esac
how=ended
status=0
found=no
names() {{ [ -z \"$R\" ] || ! grep -qF -- \"$R/\" \"$1\" || found=yes; }}
long() {{ [ \"$(wc -c <\"$1\")\" -gt {most} ]; }}
exec 3>&2 2>\"$R/{MESSAGES}\"
cd \"$R/\"{dir} || how=limits
{place}if [ $how = ended ]; then
(
exec 3>&-
{{ {limits}; }} || {{ : >\"$R/{FAILED}\"; exit 0; }}
exec env -i{env} {program}{args} >\"$R/{STDOUT}\" 2>\"$R/{STDERR}\" </dev/null
)
status=$?
times >\"$R/{TIMES}\"
[ ! -s \"$R/{MESSAGES}\" ] || how=signalled
[ ! -e \"$R/{FAILED}\" ] || how=limits
if long \"$R/{STDOUT}\" || long \"$R/{STDERR}\"; then
how=flood
else
cat \"$R/{STDERR}\" >&3
cat \"$R/{STDOUT}\"
fi
{outputs}fi
printf '\\n%s %s %s %s\\n%s\\n' \"$word\" $how $status $found \"$R\"
[ ! -e \"$R/{TIMES}\" ] || cat \"$R/{TIMES}\"
printf '%s\\n' \"$word\"
exit 0
"
    )
}

fn limits(limits: &Limits) -> String {
    let mut set = vec!["ulimit -c 0".to_owned()];
    let mut bound = |flag: &str, value: Option<u64>| {
        set.extend(value.map(|value| format!("ulimit -{flag} {value}")));
    };
    let seconds = |time: Duration| time.as_secs() + u64::from(time.subsec_nanos() > 0);
    bound("t", limits.cpu.map(|time| seconds(time).max(1)));
    bound("v", limits.memory_bytes.map(|bytes| bytes.div_ceil(1024)));
    bound("f", limits.file_bytes.map(|bytes| bytes.div_ceil(BLOCK)));
    bound("n", limits.open_files);
    set.join(" && ")
}

/// Quotes a text as a word of the shell, with the root's path in place of `Command::ROOT`.
fn quoted(text: &str) -> String {
    let quoted = text.replace('\'', "'\\''");
    format!("'{}'", quoted.replace(Command::ROOT, "'\"$R\"'"))
}

/// Reads the report of a script from its standard output, or returns `None` if there is none.
pub(crate) fn read(stdout: &[u8], word: &str) -> Option<Said> {
    let begin = format!("\n{word} ");
    let at = last(stdout, begin.as_bytes())?;
    let said = std::str::from_utf8(&stdout[at + 1..]).ok()?;
    let mut lines = said.lines();
    let mut words = lines.next()?.split(' ').skip(1);
    let (how, status, found) = (
        words.next()?,
        words.next()?.parse::<i32>().ok()?,
        words.next()?,
    );
    let root = lines.next()?.to_owned();
    let rest: Vec<&str> = lines.collect();
    // The first line is that of the shell itself; there is none where the command was not started.
    let cpu = match rest.as_slice() {
        [_, children, end] if *end == word => children.split_whitespace().map(time).sum(),
        [end] if *end == word => Some(Duration::ZERO),
        _ => None,
    }?;
    Some(Said {
        end: end(how, status),
        cpu,
        root,
        names_root: found == "yes",
        stdout: stdout[..at].to_owned(),
    })
}

/// Finds how a command ended from the status of the shell, in which a signal is a number above 128. 126 and 127 are also
/// the shell's own, where it cannot start the program.
fn end(how: &str, status: i32) -> End {
    match (how, status) {
        ("ended", 0..=125) => End::Exited(status),
        ("ended", 193..=255) => End::Exited(status),
        ("signalled", 129..=192) => End::Signalled(status - 128),
        _ => End::Unclear,
    }
}

/// Parses a time such as `1m2.50s`, as the shell's `times` prints it. Some shells print a comma.
fn time(text: &str) -> Option<Duration> {
    let (minutes, seconds) = text.strip_suffix('s')?.split_once('m')?;
    let seconds = seconds.replace(',', ".").parse::<f64>().ok()?;
    let minutes = minutes.parse::<u64>().ok()?;
    let seconds = Duration::try_from_secs_f64(seconds).ok()?;
    Duration::from_secs(minutes.checked_mul(60)?).checked_add(seconds)
}

/// Returns the position at which some bytes occur for the last time in others.
fn last(text: &[u8], wanted: &[u8]) -> Option<usize> {
    let mut windows = text.windows(wanted.len());
    windows.rposition(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_remote_protocol::{Caching, Inputs};
    use std::process::Stdio;

    const WORD: &str = "0123abcd";

    fn command(script: &str) -> Command {
        Command {
            program: "/bin/sh".to_owned(),
            args: vec!["-c".to_owned(), script.to_owned()],
            env: [("A_B".to_owned(), format!("it's {}/x", Command::ROOT))].into(),
            dir: "tree".into(),
            inputs: Inputs::default(),
            outputs: vec!["out".into()],
            wanted: vec![],
            place: None,
            limits: Limits {
                wall: Duration::from_secs(60),
                cpu: Some(Duration::from_secs(60)),
                memory_bytes: Some(1 << 32),
                file_bytes: Some(1 << 20),
                open_files: Some(64),
                output_bytes: 1000,
            },
            caching: Caching::Cached,
            identified_by: vec![],
        }
    }

    /// Runs the script of a command. Returns its last words, and what it prints as errors.
    #[expect(
        clippy::disallowed_methods,
        reason = "a script is tested by running it"
    )]
    fn ran(command: &Command) -> (Option<Said>, String, std::path::PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("tree")).unwrap();
        std::fs::write(root.join(SCRIPT), script(command)).unwrap();
        let output = std::process::Command::new("/bin/sh")
            .args([&format!("./{SCRIPT}"), WORD])
            .current_dir(&root)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let said = read(&output.stdout, WORD);
        (said, String::from_utf8(output.stderr).unwrap(), root)
    }

    #[track_caller]
    fn check(script: &str, end: End, stdout: &str, stderr: &str) {
        let (said, printed, _) = ran(&command(script));
        let said = said.unwrap();
        let stdout_of = String::from_utf8(said.stdout).unwrap();
        assert_eq!(
            (said.end, stdout_of.as_str(), printed.as_str()),
            (end, stdout, stderr)
        );
    }

    #[test]
    fn a_status_a_signal_and_what_is_printed_come_back() {
        check(
            "echo out; printf err >&2; exit 101",
            End::Exited(101),
            "out\n",
            "err",
        );
        check("printf out", End::Exited(0), "out", "");
        check("kill -ABRT $$", End::Signalled(6), "", "");
        check("kill -KILL $$", End::Signalled(9), "", "");
    }

    #[test]
    fn what_a_shell_cannot_tell_apart_is_unclear() {
        check("exit 134", End::Unclear, "", "");
        check("exit 127", End::Unclear, "", "");
        check("exit 255", End::Exited(255), "", "");
        let missing = Command {
            program: "/no/such/program".to_owned(),
            ..command("")
        };
        assert_eq!(ran(&missing).0.unwrap().end, End::Unclear);
    }

    #[test]
    fn a_flood_is_unclear_and_does_not_come_back() {
        check(
            "i=0; while [ $i -lt 200 ]; do echo 0123456789; i=$((i+1)); done",
            End::Unclear,
            "",
            "",
        );
    }

    #[test]
    fn a_file_that_is_too_large_ends_the_command() {
        let large = command("exec head -c 3000000 /dev/zero >large");
        assert_eq!(ran(&large).0.unwrap().end, End::Signalled(25));
    }

    #[test]
    fn a_limit_that_cannot_be_set_is_unclear() {
        let mut unlimited = command("exit 3");
        unlimited.limits.open_files = Some(u64::MAX);
        assert_eq!(ran(&unlimited).0.unwrap().end, End::Unclear);
    }

    #[test]
    fn the_root_stands_in_arguments_and_environment() {
        let (said, _, root) = ran(&command("pwd; env"));
        let said = said.unwrap();
        let root = root.to_str().unwrap();
        let stdout = String::from_utf8(said.stdout).unwrap();
        assert!(stdout.starts_with(&format!("{root}/tree\n")), "{stdout}");
        assert!(stdout.contains(&format!("A_B=it's {root}/x\n")), "{stdout}");
        assert!(!stdout.contains("HOME="), "{stdout}");
        assert_eq!(said.root, root);
    }

    #[test]
    fn what_names_its_root_runs_in_no_other_place() {
        let (said, ..) = ran(&command("pwd >../out"));
        assert!(said.unwrap().names_root);
        let elsewhere = Command {
            place: Some("/other".to_owned()),
            ..command("echo out")
        };
        let said = ran(&elsewhere).0.unwrap();
        assert_eq!((said.end, said.stdout), (End::Unclear, vec![]));
    }

    #[test]
    fn time_is_that_of_the_command() {
        let (said, ..) = ran(&command(
            "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done",
        ));
        assert!(said.unwrap().cpu > Duration::ZERO);
        assert_eq!(time("1m2.50s"), Some(Duration::from_millis(62_500)));
        assert_eq!(time("0m0,003s"), Some(Duration::from_millis(3)));
        assert_eq!(time("2.50"), None);
    }

    #[test]
    fn without_the_last_word_nothing_is_known() {
        let (begin, end) = (format!("\n{WORD} ended 0 no\n/\n"), format!("{WORD}\n"));
        let times = "0m0.00s 0m0.00s\n0m0.10s 0m0.00s\n";
        assert!(read(format!("{begin}{times}{end}").as_bytes(), WORD).is_some());
        for cut in [String::new(), begin.clone(), format!("{begin}{times}")] {
            assert_eq!(read(cut.as_bytes(), WORD), None);
        }
        assert_eq!(
            read(format!("{begin}{times}{end}").as_bytes(), "ffff"),
            None
        );
    }
}
