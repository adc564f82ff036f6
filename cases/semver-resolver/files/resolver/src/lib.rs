//! Chooses a version for each package that is needed: the newest that all requirements allow.

use semver::{Version, VersionReq};
use std::collections::{BTreeMap, VecDeque};
use std::fmt;

/// A package in one version, with what it needs.
#[derive(Debug, Clone)]
struct Release {
    version: Version,
    needs: Vec<(String, VersionReq)>,
}

/// All releases that there are.
#[derive(Debug, Default)]
pub struct Index {
    releases: BTreeMap<String, Vec<Release>>,
}

/// Why no choice is possible.
#[derive(Debug, PartialEq, Eq)]
pub enum ResolveError {
    /// No package has this name.
    Unknown(String),
    /// No version of the package fulfils all requirements.
    Conflict(String),
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResolveError::Unknown(name) => write!(f, "no package `{name}`"),
            ResolveError::Conflict(name) => write!(f, "no version of `{name}` fits"),
        }
    }
}

impl std::error::Error for ResolveError {}

impl Index {
    /// An index without releases.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a release, such as `publish("app", "1.0.0", &[("log", "^0.4")])`.
    pub fn publish(&mut self, name: &str, version: &str, needs: &[(&str, &str)]) -> &mut Self {
        let version = Version::parse(version).expect("a release has a version");
        let needs = needs.iter().map(|(name, req)| {
            let req = VersionReq::parse(req).expect("a requirement can be read");
            (name.to_string(), req)
        });
        let release = Release {
            version,
            needs: needs.collect(),
        };
        self.releases
            .entry(name.to_string())
            .or_default()
            .push(release);
        self
    }

    /// The versions to use for `root` and all that it needs.
    pub fn resolve(&self, root: &str) -> Result<BTreeMap<String, Version>, ResolveError> {
        let mut required: BTreeMap<String, Vec<VersionReq>> = BTreeMap::new();
        let mut chosen = BTreeMap::new();
        let mut open = VecDeque::from([root.to_string()]);
        while let Some(name) = open.pop_front() {
            let reqs = required.get(&name).map_or(&[][..], Vec::as_slice);
            let release = self.newest(&name, reqs)?;
            if chosen.insert(name, release.version.clone()).as_ref() == Some(&release.version) {
                continue;
            }
            for (needed, req) in &release.needs {
                required
                    .entry(needed.clone())
                    .or_default()
                    .push(req.clone());
                open.push_back(needed.clone());
            }
        }
        Ok(chosen)
    }

    fn newest(&self, name: &str, reqs: &[VersionReq]) -> Result<&Release, ResolveError> {
        let releases = self.releases.get(name);
        let releases = releases.ok_or_else(|| ResolveError::Unknown(name.to_string()))?;
        let fitting = releases.iter().filter(|release| {
            let version = &release.version;
            reqs.iter().all(|req| req.matches(version))
        });
        let newest = fitting.max_by(|a, b| a.version.cmp(&b.version));
        newest.ok_or_else(|| ResolveError::Conflict(name.to_string()))
    }
}
