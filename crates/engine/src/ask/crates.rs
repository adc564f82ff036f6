//! The texts of the crates that the program may be linked with: each as one file, without what its
//! configuration turns off, and with the contents of what it includes.

use camino::{Utf8Path, Utf8PathBuf};
use reduce_gather::{
    Configuration, Difference, Edition, Readable, Side, collect_expanded, collect_sources,
    configured, decided_in_macros, embedded, in_current_grammar, in_edition, inline_modules,
    two_versions,
};
use reduce_guard::OtherTexts;
use reduce_oracle::{Companion, Plan, Unit};
use reduce_syntax::{SourceTree, spaced};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// A function that reads a file by its absolute path.
type Read = dyn Fn(&Utf8Path) -> Option<Vec<u8>> + Send + Sync;

/// The crates that a program may be linked with, and how the program itself is configured.
pub(crate) struct Crates {
    units: Vec<Unit>,
    /// The texts of the linked crates, each of which is read when it is first asked for.
    texts: Vec<OnceLock<Option<Arc<str>>>>,
    own: Surroundings,
    read: Arc<Read>,
    /// The function that reads the files of crates in a smaller form, where there is one.
    read_smaller: Option<Arc<Read>>,
    /// The part of the program that holds two versions in one text, told apart by `cfg`s.
    versions: Versions,
    /// The differences between the two versions of each linked crate.
    differences: Vec<OnceLock<Difference>>,
}

/// The part of a program that holds two versions in one text, told apart by `cfg`s.
enum Versions {
    /// No text is two versions in one.
    None,
    /// The linked crates that another version of the program links in another form: by index, each
    /// with that form.
    OfUnits(BTreeMap<usize, Unit>),
    /// The program itself holds two versions in one text.
    OfProgram,
}

/// The inputs that a crate reads while it is compiled.
struct Surroundings {
    configuration: Configuration,
    variables: BTreeMap<String, String>,
    /// The directory that the paths of the crate's files are relative to.
    directory: Utf8PathBuf,
    /// The edition of a linked crate, whose files may have an older grammar than ours; `None` for
    /// the program itself.
    edition: Option<Edition>,
}

/// The files of a crate, as they are with its [`Surroundings`].
struct CrateFiles<'r> {
    surroundings: &'r Surroundings,
    read: &'r Read,
}

impl Crates {
    /// Makes the crates of a plan. `configuration` is the crashing crate's own.
    pub(crate) fn new(
        plan: &Plan,
        units: Vec<Unit>,
        configuration: &[String],
        other_texts: OtherTexts,
    ) -> Self {
        let own = Surroundings {
            configuration: Configuration::from_lines(configuration.iter().map(String::as_str)),
            variables: plan.call.env.clone(),
            directory: plan.inputs.tree.clone(),
            edition: None,
        };
        let OtherTexts { whole, smaller } = other_texts;
        let read_smaller = (!smaller.is_empty()).then(|| reading(smaller));
        Self {
            read_smaller,
            ..Self::read_by(units, own, reading(whole))
        }
    }

    fn read_by(units: Vec<Unit>, own: Surroundings, read: Arc<Read>) -> Self {
        let texts = units.iter().map(|_| OnceLock::new()).collect();
        let differences = units.iter().map(|_| OnceLock::new()).collect();
        Self {
            units,
            texts,
            own,
            read,
            read_smaller: None,
            versions: Versions::None,
            differences,
        }
    }

    /// Puts both versions of a linked crate into one text, where the companion links another version of it. Then the
    /// names of the versions are no matter of configuration.
    pub(crate) fn in_two_versions(mut self, other: &Companion) -> Self {
        let pairs = self.units.iter().enumerate();
        let pairs = pairs.filter_map(|(idx, unit)| Some((idx, other.unit_there(unit)?.clone())));
        self.versions = Versions::OfUnits(pairs.collect());
        self.leaving_versions_open()
    }

    /// Notes that the program itself holds two versions in one text. These names are set in one of them only, and are
    /// no matter of configuration either.
    pub(crate) fn with_program_in_two_versions(mut self, names: &BTreeSet<String>) -> Self {
        self.versions = Versions::OfProgram;
        let names = names.iter().map(String::as_str);
        self.own.configuration = self.own.configuration.leaving_open(names);
        self.leaving_versions_open()
    }

    fn leaving_versions_open(mut self) -> Self {
        let names = Side::ALL.map(Side::cfg);
        self.own.configuration = self.own.configuration.leaving_open(names);
        self
    }

    /// Returns the difference between the two versions of some linked crates; `None` where
    /// candidates are not held to it.
    pub(crate) fn difference(&self, units: &[usize]) -> Option<Difference> {
        if !matches!(self.versions, Versions::OfUnits(_)) {
            return None;
        }
        let mut all = Difference::default();
        for &idx in units.iter().filter(|idx| self.other(**idx).is_some()) {
            let of_text = || self.text(idx).map(|text| Difference::of(&text));
            let difference = self.differences[idx].get_or_init(|| of_text().unwrap_or_default());
            all.extend(difference.clone());
        }
        Some(all)
    }

    /// Whether the program or a linked crate holds two versions in one text.
    pub(crate) fn has_two_versions(&self) -> bool {
        !matches!(self.versions, Versions::None)
    }

    fn other(&self, idx: usize) -> Option<&Unit> {
        match &self.versions {
            Versions::OfUnits(others) => others.get(&idx),
            Versions::None | Versions::OfProgram => None,
        }
    }

    /// Makes candidates count as two versions in one text, for tests.
    #[cfg(test)]
    pub(crate) fn with_two_versions(self) -> Self {
        let versions = Versions::OfUnits(BTreeMap::new());
        Self { versions, ..self }
    }

    /// Makes linked crates whose files are `files`, by absolute path, and without any
    /// configuration, for tests.
    #[cfg(test)]
    pub(crate) fn of_files(units: Vec<Unit>, files: &'static [(&str, &str)]) -> Self {
        let own = Surroundings {
            configuration: Configuration::default(),
            variables: BTreeMap::new(),
            directory: Utf8PathBuf::from("/program"),
            edition: None,
        };
        let read = |path: &Utf8Path| {
            let file = files.iter().find(|(name, _)| *name == path)?;
            Some(file.1.as_bytes().to_vec())
        };
        Self::read_by(units, own, Arc::new(read))
    }

    pub(crate) fn units(&self) -> &[Unit] {
        &self.units
    }

    /// Returns the edition of a linked crate; `None` where it is one that we do not know.
    pub(crate) fn edition(&self, idx: usize) -> Option<Edition> {
        self.units[idx].edition.parse().ok()
    }

    /// Returns a crate's text in its own edition; `None` where it cannot be read or is not understood. Of a
    /// crate that another version has too, it is that of both versions.
    pub(crate) fn text(&self, idx: usize) -> Option<Arc<str>> {
        let read = || self.read_both(idx).map(Arc::from);
        self.texts[idx].get_or_init(read).clone()
    }

    /// Returns a linked crate, by its index, as a tree of one file; the program itself where no
    /// crate has this index.
    pub(crate) fn configured(&self, idx: usize, own: &SourceTree) -> Option<SourceTree> {
        match self.units.get(idx) {
            Some(_) => Some(SourceTree::single("lib.rs".into(), self.text(idx)?)),
            None => Some(self.embed(own).unwrap_or_else(|| own.clone())),
        }
    }

    fn read_both(&self, idx: usize) -> Option<String> {
        let unit = &self.units[idx];
        let own = self.read_text(unit, &*self.read)?;
        let other = self.other(idx);
        let other = other.filter(|other| other.edition == unit.edition);
        let before = other.and_then(|other| self.read_text(other, &*self.read));
        let differing = before.filter(|before| spaced(before) != spaced(&own));
        let both = differing.and_then(|before| two_versions(&before, &own));
        Some(both.unwrap_or(own))
    }

    /// Returns a smaller text of a linked crate, if there is one, which may be enough for the
    /// failure.
    pub(crate) fn smaller_text(&self, idx: usize) -> Option<Arc<str>> {
        let smaller = self.read_text(&self.units[idx], self.read_smaller.as_deref()?)?;
        let is_other = self.text(idx).is_none_or(|text| *text != *smaller);
        is_other.then(|| Arc::from(smaller))
    }

    /// Puts into the program what its configuration, `env!` and `include!` stand for; files that no
    /// module names any more are left out. `None` where nothing of this is in it.
    pub(crate) fn embed(&self, tree: &SourceTree) -> Option<SourceTree> {
        let files = CrateFiles {
            surroundings: &self.own,
            read: &*self.read,
        };
        let of_tree = |path: &Utf8Path| {
            let file = tree.find(path)?;
            Some(Arc::from(files.embedded(tree.text(file), path)))
        };
        let embedded = collect_sources(tree.path(tree.root()), &of_tree)?;
        (embedded != *tree).then_some(embedded)
    }

    /// Leaves out of a text what the program's own configuration turns off.
    pub(crate) fn as_program(&self, text: &str) -> String {
        configured(text, &self.own.configuration)
    }

    fn read_text(&self, unit: &Unit, read: &Read) -> Option<String> {
        let lines = unit.configuration.iter().map(String::as_str);
        let mut configuration = Configuration::from_lines(lines);
        if matches!(self.versions, Versions::OfProgram) {
            // A unit of the same workspace is two versions in one text, too.
            configuration = configuration.leaving_open(Side::ALL.map(Side::cfg));
        }
        let surroundings = Surroundings {
            configuration,
            variables: unit.env.clone(),
            directory: Utf8PathBuf::from("/"),
            edition: unit.edition.parse().ok(),
        };
        let (here, there) = (&surroundings.configuration, &self.own.configuration);
        let files = CrateFiles {
            surroundings: &surroundings,
            read,
        };
        let root = unit.root.strip_prefix("/").ok()?;
        let prepare = |text: &str, path: &Utf8Path| files.embedded(text, path);
        let tree = collect_expanded(root, &|path| files.text(path), &prepare)?;
        let whole = inline_modules(&tree).or_else(|| is_one_file(&tree).then_some(tree))?;
        Some(decided_in_macros(whole.text(whole.root()), here, there))
    }
}

/// Makes the function that reads a file from `texts`, or else from the disk.
fn reading(texts: BTreeMap<Utf8PathBuf, Arc<str>>) -> Arc<Read> {
    Arc::new(move |path: &Utf8Path| match texts.get(path) {
        Some(text) => Some(text.as_bytes().to_vec()),
        None => std::fs::read(path).ok(),
    })
}

fn is_one_file(tree: &SourceTree) -> bool {
    tree.files().count() == 1
}

impl CrateFiles<'_> {
    /// Reads a file of the crate by a path that is relative to the crate's directory.
    fn text(&self, path: &Utf8Path) -> Option<Arc<str>> {
        let bytes = (self.read)(&self.surroundings.directory.join(path))?;
        let mut text = String::from_utf8(bytes).ok()?;
        if let Some(edition) = self.surroundings.edition {
            text = in_current_grammar(&text, edition);
        }
        Some(Arc::from(self.embedded(&text, path)))
    }

    /// Removes from a text what the configuration turns off, and puts in place what it reads by
    /// `env!` and `include!`. Text that is off must not be read, and text that was read has a
    /// configuration too.
    fn embedded(&self, text: &str, path: &Utf8Path) -> String {
        let configuration = &self.surroundings.configuration;
        let before = configured(text, configuration);
        let read = embedded(&before, path, self);
        match read == before {
            true => before,
            false => configured(&read, configuration),
        }
    }
}

/// The environment variable that has a value of its own for each worker, so that it is not put into
/// texts.
const OF_EACH_WORKER: &str = "CARGO_TARGET_TMPDIR";

impl Readable for CrateFiles<'_> {
    /// Returns the value of an environment variable; `None` for the one that differs from worker to
    /// worker.
    fn variable(&self, name: &str) -> Option<String> {
        let variable = self.surroundings.variables.get(name);
        variable.filter(|_| name != OF_EACH_WORKER).cloned()
    }

    fn file(&self, path: &Utf8Path) -> Option<Vec<u8>> {
        (self.read)(&self.surroundings.directory.join(path))
    }
}

/// Translates a crate's text into an edition that is not before its own.
pub(crate) fn text_in(text: &str, from: Edition, to: Edition) -> Option<String> {
    match from == to {
        true => Some(text.to_owned()),
        false => in_edition(text, from, to),
    }
}
