//! Specifications of packages that get mutants besides the user's own, as `--mutate` names them.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A specification of packages by a name, or by a name and a version: `serde`, `serde@1`, `serde@1.0.228`, as in
/// cargo's package ID specifications.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PackageSpec {
    name: String,
    version: Option<String>,
}

/// The error of a text that names no package.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("give the name of a package, or `NAME@VERSION`")]
pub struct NotAPackage;

impl PackageSpec {
    /// Whether the specification names this package. Of a version, the parts that are left out may
    /// be any.
    #[must_use]
    pub fn names(&self, package: &str, version: &str) -> bool {
        let is_of_version = |wanted: &String| {
            let rest = version.strip_prefix(wanted.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-', '+']))
        };
        self.name == package && self.version.as_ref().is_none_or(is_of_version)
    }
}

impl FromStr for PackageSpec {
    type Err = NotAPackage;

    fn from_str(text: &str) -> Result<Self, NotAPackage> {
        let (name, version) = match text.split_once('@') {
            Some((name, version)) => (name, Some(version)),
            None => (text, None),
        };
        let is_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        let begins_as_version = |one: &str| one.starts_with(|c: char| c.is_ascii_digit());
        let is_package = !name.is_empty() && name.chars().all(is_name);
        match is_package && version.is_none_or(begins_as_version) {
            true => Ok(Self {
                name: name.to_owned(),
                version: version.map(str::to_owned),
            }),
            false => Err(NotAPackage),
        }
    }
}

impl TryFrom<String> for PackageSpec {
    type Error = NotAPackage;

    fn try_from(text: String) -> Result<Self, NotAPackage> {
        text.parse()
    }
}

impl From<PackageSpec> for String {
    fn from(spec: PackageSpec) -> Self {
        spec.to_string()
    }
}

impl fmt::Display for PackageSpec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.version {
            Some(version) => write!(formatter, "{}@{version}", self.name),
            None => formatter.write_str(&self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, named: &[(&str, &str)], others: &[(&str, &str)]) {
        let spec: PackageSpec = text.parse().unwrap();
        assert_eq!(spec.to_string(), text);
        for (package, version) in named {
            assert!(spec.names(package, version), "{package} {version}");
        }
        for (package, version) in others {
            assert!(!spec.names(package, version), "{package} {version}");
        }
    }

    #[test]
    fn a_package_is_named_with_or_without_its_version() {
        check(
            "a-b",
            &[("a-b", "1.0.0"), ("a-b", "2.0.0")],
            &[("a_b", "1.0.0")],
        );
        check(
            "a@1.2.3",
            &[("a", "1.2.3")],
            &[("a", "1.2.30"), ("b", "1.2.3")],
        );
        check(
            "a@1",
            &[("a", "1.2.3"), ("a", "1.0.0-pre")],
            &[("a", "11.2.3")],
        );
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for text in ["", "@1", "a@", "a@b", "../a", "a b", "file:///a"] {
            assert_eq!(text.parse::<PackageSpec>(), Err(NotAPackage), "{text}");
        }
    }

    #[test]
    fn it_travels_as_a_text() {
        let spec: PackageSpec = "a@1".parse().unwrap();
        let json = serde_json::to_string(&spec).unwrap();
        assert_eq!(json, "\"a@1\"");
        assert_eq!(serde_json::from_str::<PackageSpec>(&json).unwrap(), spec);
        assert!(serde_json::from_str::<PackageSpec>("\"..\"").is_err());
    }
}
