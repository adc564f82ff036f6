//! Links that carry a result: a new issue in a tracker, the Rust Playground, Compiler Explorer. Nothing is sent before
//! somebody follows one.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reduce_oracle::Plan;
use serde_json::json;

/// The characters that are percent-encoded in an address. `-` could be, but two of them end the comment that a
/// link stands in.
const SPECIAL: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.').remove(b'_').remove(b'~');
/// The longest address, in bytes: servers and browsers refuse longer ones.
const LONGEST_LINK: usize = 8_000;

/// A released compiler that other people have too, or one of a release channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Channel {
    /// A release, such as `1.95.0`.
    Stable(String),
    Beta,
    Nightly,
}

impl Channel {
    /// Returns the channel or release of the compiler that a plan calls. What needs unstable features is for a nightly
    /// elsewhere, as a variable allows them here.
    pub(crate) fn of(plan: &Plan) -> Self {
        let is_allowed = plan.call.env.contains_key("RUSTC_BOOTSTRAP");
        Self::of_release(plan.call.compiler.release(), is_allowed)
    }

    fn of_release(release: Option<&str>, is_allowed: bool) -> Self {
        match release {
            _ if is_allowed => Self::Nightly,
            Some(release) if release.contains("-beta") => Self::Beta,
            Some(release) if !release.contains('-') => Self::Stable(release.to_owned()),
            _ => Self::Nightly,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Stable(_) => "stable",
            Self::Beta => "beta",
            Self::Nightly => "nightly",
        }
    }

    /// Returns Compiler Explorer's name for the compiler. It has no releases that mend others.
    fn id(&self) -> Option<String> {
        match self {
            Self::Stable(release) => {
                let minor = release.strip_prefix("1.")?.strip_suffix(".0")?;
                Some(format!("r1{minor}0"))
            }
            Self::Beta | Self::Nightly => Some(self.name().to_owned()),
        }
    }
}

/// A program with all that another person's compiler needs to compile it in the same way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Compiled<'a> {
    pub(super) code: &'a str,
    pub(super) edition: &'a str,
    /// The flags that the failure needs, beside the edition.
    pub(super) flags: &'a [String],
    pub(super) channel: &'a Channel,
}

impl Compiled<'_> {
    /// Makes a sentence with the links to sites that can compile the program, if there are some.
    pub(super) fn sentence(self) -> Option<String> {
        let channel = self.channel.name();
        let playground = self
            .playground()
            .map(|link| format!("[in the Playground]({link}) with its latest {channel} compiler"));
        let explorer = self
            .compiler_explorer()
            .map(|(link, id)| format!("[in Compiler Explorer]({link}) with its compiler `{id}`"));
        let places: Vec<String> = playground.into_iter().chain(explorer).collect();
        let is_some = !places.is_empty();
        is_some.then(|| format!("You can compile the code {}.", places.join(", and ")))
    }

    /// Returns a link to the Playground, where it makes the same call: it has no flags, makes a program of what has a
    /// `main`, and a library of the rest.
    fn playground(self) -> Option<String> {
        let mut mode = "debug";
        let mut is_library = false;
        for flag in self.flags {
            match flag
                .replace(' ', "")
                .replace("--crate-type=", "--crate-type")
                .as_str()
            {
                "--crate-typelib" | "--crate-typerlib" => is_library = true,
                "--crate-typebin" => {}
                "-Copt-level=3" | "-O" => mode = "release",
                _ => return None,
            }
        }
        if is_library == self.code.contains("fn main(") {
            return None;
        }
        let (channel, edition) = (self.channel.name(), self.edition);
        let code = encoded(self.code);
        bounded(format!(
            "https://play.rust-lang.org/?version={channel}&mode={mode}&edition={edition}&code={code}"
        ))
    }

    /// Returns a link to Compiler Explorer, with the name of the compiler there. It takes any flags but
    /// those that name files.
    fn compiler_explorer(self) -> Option<(String, String)> {
        let id = self.channel.id()?;
        let is_of_file = |flag: &String| flag.contains('/') || flag.starts_with("-L");
        if self.flags.iter().any(is_of_file) {
            return None;
        }
        let mut options = vec![format!("--edition={}", self.edition)];
        options.extend(self.flags.iter().cloned());
        // Compiler Explorer would make a library otherwise.
        if !self
            .flags
            .iter()
            .any(|flag| flag.starts_with("--crate-type"))
        {
            options.push("--crate-type=bin".to_owned());
        }
        let compiler = json!({"id": id, "options": options.join(" ")});
        let session = json!({
            "id": 1, "language": "rust", "source": self.code, "compilers": [compiler],
        });
        let state = STANDARD.encode(json!({"sessions": [session]}).to_string());
        let link = format!("https://godbolt.org/clientstate/{}", encoded(&state));
        Some((bounded(link)?, id))
    }
}

/// Makes a link to a new issue in a tracker with these labels and this title, and with the first of some bodies that an
/// address can carry.
pub(super) fn new_issue((tracker, labels): (&str, &str), title: &str, bodies: &[String]) -> String {
    let (title, labels) = (encoded(title), encoded(labels));
    let link = format!("{tracker}/new?title={title}&labels={labels}");
    let with_body = |body: &String| bounded(format!("{link}&body={}", encoded(body)));
    bodies.iter().find_map(with_body).unwrap_or(link)
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, SPECIAL).to_string()
}

fn bounded(link: String) -> Option<String> {
    (link.len() <= LONGEST_LINK).then_some(link)
}

#[cfg(test)]
mod tests {
    use super::*;
    use percent_encoding::percent_decode_str;

    /// Makes the links of a library that is compiled with these flags.
    fn links(code: &str, flags: &[&str], channel: &Channel) -> (Option<String>, Option<String>) {
        let flags: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
        let compiled = Compiled {
            code,
            edition: "2024",
            flags: &flags,
            channel,
        };
        let explorer = compiled.compiler_explorer();
        (compiled.playground(), explorer.map(|(link, _)| link))
    }

    fn stable() -> Channel {
        Channel::Stable("1.95.0".to_owned())
    }

    fn decoded(text: &str) -> String {
        let text = percent_decode_str(text).decode_utf8();
        text.expect("it is UTF-8").into_owned()
    }

    #[test]
    fn links_carry_the_code() {
        let code = "fn f() -> &'static str {\n    \"a+b/é\"\n}\n";
        let (playground, explorer) = links(code, &["--crate-type=lib"], &stable());
        let playground = playground.expect("it has these flags");
        let begin = "https://play.rust-lang.org/?version=stable&mode=debug&edition=2024&code=";
        let carried = playground.strip_prefix(begin);
        assert_eq!(carried.map(decoded).as_deref(), Some(code));
        let explorer = explorer.expect("it has all flags");
        let state = explorer.strip_prefix("https://godbolt.org/clientstate/");
        let state = STANDARD.decode(decoded(state.expect("it begins so")));
        let state: serde_json::Value =
            serde_json::from_slice(&state.expect("it is base64")).expect("it is JSON");
        let session = &state["sessions"][0];
        assert_eq!(session["source"], code);
        assert_eq!(session["compilers"][0]["id"], "r1950");
        let options = "--edition=2024 --crate-type=lib";
        assert_eq!(session["compilers"][0]["options"], options);
    }

    #[test]
    fn the_playground_is_named_where_it_makes_the_same_call() {
        let (code, library) = ("fn f() {}", "--crate-type=lib");
        let playground = |code, flags: &[&str]| links(code, flags, &stable()).0;
        let optimised = playground(code, &[library, "-C opt-level=3"]);
        assert!(optimised.is_some_and(|link| link.contains("mode=release")));
        assert_eq!(playground(code, &[library, "-Znext-solver"]), None);
        assert_eq!(playground("fn main() {}", &[library]), None);
        assert!(playground("fn main() {}", &[]).is_some());
        assert_eq!(playground(code, &[]), None, "there is no `main`");
    }

    #[test]
    fn compiler_explorer_is_named_where_it_has_the_compiler() {
        let explorer = |channel, flags: &[&str]| links("fn f() {}", flags, &channel).1;
        assert!(explorer(Channel::Nightly, &["-Znext-solver"]).is_some());
        assert_eq!(explorer(Channel::Stable("1.95.1".to_owned()), &[]), None);
        assert_eq!(explorer(stable(), &["-L deps"]), None);
    }

    #[test]
    fn a_link_that_is_too_long_is_left_out() {
        let code = format!("fn f() {{ {} }}", "call(); ".repeat(2_000));
        let both = links(&code, &["--crate-type=lib"], &stable());
        assert_eq!(both, (None, None));
        let short = "short".to_owned();
        let place = ("https://github.com/a/b/issues", "C-bug,I-ICE");
        assert!(new_issue(place, "a", &[code.clone(), short]).ends_with("&body=short"));
        assert!(
            new_issue(place, "a b", &[code])
                .ends_with("a/b/issues/new?title=a%20b&labels=C%2Dbug%2CI%2DICE")
        );
    }

    #[test]
    fn what_needs_features_is_for_a_nightly() {
        let of = |release: &str, is_allowed| Channel::of_release(Some(release), is_allowed);
        assert_eq!(of("1.95.0", false), stable());
        assert_eq!(of("1.95.0", true), Channel::Nightly);
        assert_eq!(of("1.97.0-nightly", false), Channel::Nightly);
        assert_eq!(of("1.96.0-beta.3", false), Channel::Beta);
    }
}
