//! Another version of the program, as a user names it.

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The word by which the user asks for a version to be searched.
const AUTO: &str = "auto";

/// Another version of the program that is reduced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Version {
    /// The directory of the version.
    Path(Utf8PathBuf),
    /// A published version of the package itself, such as `1.2.3`.
    Release(String),
    /// The present program, with another version of one of its dependencies.
    Dependency {
        /// The name of the dependency's package.
        name: String,
        /// The release's number, such as `1.2.3`.
        release: String,
    },
    /// A revision of the git repository in which the program lies.
    Revision(String),
    /// The newest commit before the present one that serves as the other version.
    Auto,
}

/// A text that names no version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotAVersion(&'static str);

impl Version {
    /// Makes a relative path of the version absolute, from the directory.
    #[must_use]
    pub fn within(self, directory: &Utf8Path) -> Self {
        match self {
            Self::Path(path) => Self::Path(crate::text::path::normal(&directory.join(path))),
            other => other,
        }
    }
}

impl FromStr for Version {
    type Err = NotAVersion;

    /// Reads a version: a text with `/` is a path, `=1.2.3` a release, `NAME=1.2.3` one of a dependency,
    /// `auto` that word, and all else a revision.
    fn from_str(text: &str) -> Result<Self, NotAVersion> {
        if text.contains('/') {
            return Ok(Self::Path(text.into()));
        }
        if let Some(number) = text.strip_prefix('=') {
            return match is_release(number) {
                true => Ok(Self::Release(number.to_owned())),
                false => Err(NotAVersion(
                    "give a whole version after `=`, such as `=1.2.3`",
                )),
            };
        }
        if let Some((name, number)) = text.split_once('=')
            && is_package(name)
            && is_release(number)
        {
            let (name, release) = (name.to_owned(), number.to_owned());
            return Ok(Self::Dependency { name, release });
        }
        match text {
            "." | ".." => Err(NotAVersion("a path needs a `/` in it, such as `../old`")),
            "" => Err(NotAVersion(
                "give a revision, a path with a `/` in it, a version such as `=1.2.3`, or `auto`",
            )),
            AUTO => Ok(Self::Auto),
            // git would take it for an option.
            _ if text.starts_with('-') => Err(NotAVersion("a revision does not begin with `-`")),
            _ => Ok(Self::Revision(text.to_owned())),
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => write!(f, "{path}"),
            Self::Release(number) => write!(f, "={number}"),
            Self::Dependency { name, release } => write!(f, "{name}={release}"),
            Self::Revision(name) => f.write_str(name),
            Self::Auto => f.write_str(AUTO),
        }
    }
}

/// Whether a text may be the name of a package.
fn is_package(name: &str) -> bool {
    let mut bytes = name.bytes();
    !name.starts_with('-')
        && !name.is_empty()
        && bytes.all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
}

/// Whether a text is the number of a release, such as `1.2.3` or `1.2.3-beta.1`.
fn is_release(text: &str) -> bool {
    let end = text.find(['-', '+']).unwrap_or(text.len());
    let (numbers, rest) = text.split_at(end);
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b"-+.".contains(&b);
    let parts: Vec<&str> = numbers.split('.').collect();
    parts.len() == 3 && parts.into_iter().all(is_number) && rest.bytes().all(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Version) {
        assert_eq!(text.parse(), Ok(expected.clone()));
        assert_eq!(expected.to_string(), text);
    }

    #[test]
    fn a_version_is_told_by_its_form() {
        check("../old", Version::Path("../old".into()));
        check("/a/b", Version::Path("/a/b".into()));
        check("./auto", Version::Path("./auto".into()));
        check("=1.2.3", Version::Release("1.2.3".to_owned()));
        check("=1.0.0-rc.1+7", Version::Release("1.0.0-rc.1+7".to_owned()));
        let (name, release) = ("serde_json".to_owned(), "1.0.9".to_owned());
        check("serde_json=1.0.9", Version::Dependency { name, release });
        check("v=1", Version::Revision("v=1".to_owned()));
        check("auto", Version::Auto);
        check("v1.2.3", Version::Revision("v1.2.3".to_owned()));
        check("HEAD~3", Version::Revision("HEAD~3".to_owned()));
        check(
            "main@{yesterday}",
            Version::Revision("main@{yesterday}".to_owned()),
        );
    }

    #[test]
    fn what_is_no_version_is_said_with_what_would_be_one() {
        for (text, hint) in [
            ("", "a revision, a path"),
            ("=1.2", "`=1.2.3`"),
            ("=1.2.x", "`=1.2.3`"),
            ("=1.2.3-\n", "`=1.2.3`"),
            ("..", "`../old`"),
            ("--upload-pack=x", "does not begin with `-`"),
        ] {
            let error = text.parse::<Version>().unwrap_err().to_string();
            assert!(error.contains(hint), "{text}: {error}");
        }
    }

    #[test]
    fn a_relative_path_is_one_from_the_users_directory() {
        let path = |text: &str| text.parse::<Version>().unwrap().within("/a/b".into());
        assert_eq!(path("../c/"), Version::Path("/a/c".into()));
        assert_eq!(path("/c"), Version::Path("/c".into()));
        assert_eq!(path("c"), Version::Revision("c".to_owned()));
    }
}
