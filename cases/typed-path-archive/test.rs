//! Archives that a scanner writes on Windows, and a server with Linux unpacks.

use std::collections::BTreeMap;
use std::fmt;
use typed_path::windows::Utf8WindowsComponent;
use typed_path::{Utf8UnixPath, Utf8UnixPathBuf, Utf8WindowsPath};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Directory,
    File { size: u64 },
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    path: Utf8UnixPathBuf,
    kind: Kind,
}

#[derive(Debug, PartialEq, Eq)]
enum Refused {
    /// A path with a drive or a server in front.
    Elsewhere(String),
    /// A path that leaves the archive.
    Outside(String),
    Empty(usize),
    Size { line: usize, text: String },
    Twice(Utf8UnixPathBuf),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Elsewhere(path) => write!(f, "`{path}` names a drive"),
            Refused::Outside(path) => write!(f, "`{path}` leaves the archive"),
            Refused::Empty(line) => write!(f, "line {line} has no path"),
            Refused::Size { line, text } => write!(f, "line {line}: `{text}` is no size"),
            Refused::Twice(path) => write!(f, "`{path}` is there twice"),
        }
    }
}

/// The same path on the server, as seen from the root of the archive.
fn on_server(text: &str) -> Result<Utf8UnixPathBuf, Refused> {
    let mut path = Utf8UnixPathBuf::new();
    for component in Utf8WindowsPath::new(text).components() {
        match component {
            Utf8WindowsComponent::Normal(name) => path.push(name.trim_end()),
            Utf8WindowsComponent::CurDir => {}
            Utf8WindowsComponent::ParentDir => {
                if path.file_name().is_none() || !path.pop() {
                    return Err(Refused::Outside(text.to_owned()));
                }
            }
            Utf8WindowsComponent::RootDir | Utf8WindowsComponent::Prefix(_) => {
                return Err(Refused::Elsewhere(text.to_owned()));
            }
        }
    }
    Ok(path)
}

#[derive(Debug, Default)]
struct Archive {
    entries: Vec<Entry>,
}

impl Archive {
    /// Reads a list with a size and a path in each line; a directory has `<DIR>` for its size.
    fn read(list: &str) -> Result<Self, Refused> {
        let mut archive = Archive::default();
        for (line, text) in (1..).zip(list.lines()) {
            let text = text.trim();
            if text.is_empty() || text.starts_with(';') {
                continue;
            }
            let (size, path) = text.split_once(' ').ok_or(Refused::Empty(line))?;
            let kind = match size {
                "<DIR>" => Kind::Directory,
                _ => {
                    let size = size.replace('.', "").parse().map_err(|_| Refused::Size {
                        line,
                        text: size.to_owned(),
                    })?;
                    Kind::File { size }
                }
            };
            let path = on_server(path.trim())?;
            if archive.entries.iter().any(|entry| entry.path == path) {
                return Err(Refused::Twice(path));
            }
            archive.entries.push(Entry { path, kind });
        }
        Ok(archive)
    }

    /// Bytes of the files of each extension.
    fn sizes(&self) -> BTreeMap<&str, u64> {
        let mut sizes = BTreeMap::new();
        for entry in &self.entries {
            if let Kind::File { size } = entry.kind {
                let extension = entry.path.extension().unwrap_or("other");
                *sizes.entry(extension).or_default() += size;
            }
        }
        sizes
    }

    /// What is done to unpack it, in the right order.
    fn plan(&self, target: &Utf8UnixPath) -> Vec<String> {
        let mut steps = Vec::new();
        let mut made: Vec<Utf8UnixPathBuf> = Vec::new();
        let mut make = |directory: &Utf8UnixPath, steps: &mut Vec<String>| {
            if !made.iter().any(|other| other.as_path() == directory) {
                steps.push(format!("mkdir {}", directory.as_str()));
                made.push(directory.to_path_buf());
            }
        };
        make(target, &mut steps);
        for entry in &self.entries {
            let path = target.join(&entry.path);
            match (entry.kind, path.parent()) {
                (Kind::Directory, _) => make(&path, &mut steps),
                (Kind::File { .. }, Some(parent)) => {
                    make(parent, &mut steps);
                    steps.push(format!("write {}", path.as_str()));
                }
                (Kind::File { .. }, None) => {}
            }
        }
        steps
    }
}

const SCANS: &str = r"
    ; packed by scanner 4
    1.204 invoices\0017.pdf
    880   invoices\0018.pdf
    <DIR> letters
    96    .\letters\old\..\index.txt
    12    LICENSE
";

#[test]
fn what_is_outside_is_refused() {
    let said = |list: &str| Archive::read(list).unwrap_err().to_string();
    assert_eq!(said(r"1 C:\temp\a.pdf"), r"`C:\temp\a.pdf` names a drive");
    assert_eq!(said(r"1 a\..\..\b.pdf"), r"`a\..\..\b.pdf` leaves the archive");
    assert_eq!(said("a.pdf"), "line 1 has no path");
    assert_eq!(said("\n1,5 a.pdf"), "line 2: `1,5` is no size");
}

#[test]
fn a_path_is_there_once() {
    let archive = Archive::read("1 a\\b.txt\n2 a\\.\\b.txt");
    assert!(matches!(archive, Err(Refused::Twice(path)) if path.ends_with("a/b.txt")));
}

#[test]
fn sizes_are_added_by_extension() {
    let archive = Archive::read(SCANS).unwrap();
    let expected = [("other", 12), ("pdf", 2084), ("txt", 96)];
    assert_eq!(archive.sizes(), expected.into());
}

#[test]
fn everything_is_unpacked_below_the_target() {
    let archive = Archive::read(SCANS).unwrap();
    assert_eq!(archive.entries.len(), 5);
    let target = Utf8UnixPath::new("/srv/scans");
    assert!(target.is_absolute());
    let plan = archive.plan(&target.join("2023"));
    let expected = [
        "mkdir /srv/scans/2023",
        "mkdir /srv/scans/2023/invoices",
        "write /srv/scans/2023/invoices/0017.pdf",
        "write /srv/scans/2023/invoices/0018.pdf",
        "mkdir /srv/scans/2023/letters",
        "write /srv/scans/2023/letters/index.txt",
        "write /srv/scans/2023/LICENSE",
    ];
    assert_eq!(plan, expected);
}
