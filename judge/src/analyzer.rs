//! rust-analyzer as a judge: what its semantic model says about each name that a file spells, also in the
//! arguments of the crate's own macros. It sees the crate alone, with a small `core` in place of the
//! standard library, so only what it finds inside of the crate is believed.

use crate::input::Input;
use crate::meaning::{Meaning, Place, Verdicts};
use crate::text::CrateText;
use anyhow::{Context, Result, bail};
use camino::Utf8Path;
use ra_ap_base_db::{
    CrateBuilderId, CrateDisplayName, CrateGraphBuilder, CrateName, CrateOrigin,
    CrateWorkspaceData, DependencyBuilder, EditionedFileId, Env, FileChange, LangCrateOrigin,
    SourceRoot,
};
use ra_ap_cfg::{CfgExpr, CfgOptions};
use ra_ap_hir::{AsAssocItem, Semantics, Symbol};
use ra_ap_ide_db::RootDatabase;
use ra_ap_ide_db::defs::{Definition, IdentClass};
use ra_ap_syntax::ast::{Attr, CfgMeta};
use ra_ap_syntax::{AstNode, Edition, SourceFile, SyntaxKind, SyntaxNode, SyntaxToken, TextRange};
use ra_ap_test_utils::MiniCore;
use ra_ap_vfs::file_set::FileSet;
use ra_ap_vfs::{AbsPathBuf, FileId, VfsPath};
use reduce_syntax as ours;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use triomphe::Arc;

/// Types of some inputs are nested deeply on purpose.
const STACK: usize = 1 << 30;

/// The longest that it may think about one crate: types of some inputs never end.
const LONGEST: Duration = Duration::from_secs(60);

/// What rust-analyzer says about a crate; if that takes too long, what it has said until then. It then goes
/// on thinking until this program ends, as a thread cannot be stopped.
pub fn judge(input: &Input, text: &CrateText<'_>) -> Result<Verdicts> {
    let cfgs = input.cfgs().unwrap_or_default();
    let edition = input.edition.parse().unwrap_or(Edition::Edition2021);
    std::panic::set_hook(Box::new(|_| ()));
    let analyzed = Analyzed::new(text, edition, &cfgs);
    let (say, said) = mpsc::channel();
    let ask = move || catch_unwind(AssertUnwindSafe(|| analyzed.judge(&say))).is_ok();
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(ask);
    let thread = thread.context("failed to start a thread")?;
    let deadline = Instant::now() + LONGEST;
    let mut verdicts = Verdicts::default();
    loop {
        match said.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok((place, meaning)) => verdicts.add(place, meaning),
            Err(RecvTimeoutError::Timeout) => {
                println!("  rust-analyzer takes too long for some names");
                return Ok(verdicts);
            }
            Err(RecvTimeoutError::Disconnected) if thread.join().is_ok_and(|done| done) => {
                return Ok(verdicts);
            }
            Err(RecvTimeoutError::Disconnected) => bail!("rust-analyzer crashes"),
        }
    }
}

/// A crate in rust-analyzer's database.
struct Analyzed {
    cfgs: CfgOptions,
    database: RootDatabase,
    edition: Edition,
    files: Vec<(FileId, ours::FileId)>,
}

impl Analyzed {
    fn new(text: &CrateText<'_>, edition: Edition, cfgs: &[String]) -> Self {
        let mut change = FileChange::default();
        let mut set = FileSet::default();
        let mut files = Vec::new();
        for (idx, (file, path, content)) in (0..).zip(text.sources().files()) {
            let id = FileId::from_raw(idx);
            set.insert(id, VfsPath::new_virtual_path(absolute(path)));
            change.change_file(id, Some(content.to_string()));
            files.push((id, file));
        }
        let core = FileId::from_raw(u32::try_from(files.len()).expect("files are few"));
        let mut core_set = FileSet::default();
        core_set.insert(
            core,
            VfsPath::new_virtual_path("/sysroot/core/lib.rs".to_owned()),
        );
        change.change_file(core, Some(small_core()));
        let roots = vec![
            SourceRoot::new_local(set),
            SourceRoot::new_library(core_set),
        ];
        change.set_roots(roots);
        let root = text.sources().root();
        let root = files.iter().find(|(_, file)| *file == root);
        let root = root.expect("the root is one of the files").0;
        change.set_crate_graph(graph(root, core, edition, cfgs));
        let mut database = RootDatabase::new(None);
        change.apply(&mut database);
        Self {
            cfgs: options(cfgs),
            database,
            edition,
            files,
        }
    }

    fn judge(&self, say: &Sender<(Place, Meaning)>) {
        ra_ap_hir::attach_db(&self.database, || {
            let semantics = Semantics::new(&self.database);
            for &(id, file) in &self.files {
                if semantics.file_to_module_def(id).is_some() {
                    let id = EditionedFileId::new(&self.database, id, self.edition);
                    self.judge_file(&semantics, file, &semantics.parse(id), say);
                }
            }
        });
    }

    fn judge_file(
        &self,
        semantics: &Semantics<'_, RootDatabase>,
        file: ours::FileId,
        parsed: &SourceFile,
        say: &Sender<(Place, Meaning)>,
    ) {
        let off = self.turned_off(parsed.syntax());
        let is_on = |token: &SyntaxToken| {
            let range = token.text_range();
            !off.iter().any(|off| off.contains_range(range))
        };
        let tokens = parsed.syntax().descendants_with_tokens();
        let tokens = tokens.filter_map(|element| element.into_token());
        for token in tokens.filter(is_name).filter(is_on) {
            let at = usize::from(token.text_range().start());
            for meaning in self.meanings(semantics, token) {
                // Who asked may have given up.
                say.send((Place { file, at }, meaning)).ok();
            }
        }
    }

    /// What `#[cfg(..)]` turns off: names in there are looked up in the wrong scopes.
    fn turned_off(&self, file: &SyntaxNode) -> Vec<TextRange> {
        let predicates = file.descendants().filter_map(CfgMeta::cast);
        let off = predicates.filter_map(|meta| {
            let predicate = CfgExpr::parse_from_ast(meta.cfg_predicate()?);
            let attribute = meta.syntax().ancestors().find_map(Attr::cast)?;
            let owner = attribute.syntax().parent()?;
            (self.cfgs.check(&predicate) == Some(false)).then(|| owner.text_range())
        });
        off.collect()
    }

    fn meanings(
        &self,
        semantics: &Semantics<'_, RootDatabase>,
        token: SyntaxToken,
    ) -> Vec<Meaning> {
        let mut meanings = Vec::new();
        for read in semantics.descend_into_macros_exact(token) {
            // It gives up on some code that is wrong on purpose.
            let classify = || IdentClass::classify_token(semantics, &read);
            let class = catch_unwind(AssertUnwindSafe(classify)).ok().flatten();
            let definitions = class.map(IdentClass::definitions_no_ops);
            for definition in definitions.into_iter().flatten() {
                if let Some(place) = self.place(semantics, definition) {
                    meanings.push(Meaning::Inside(place));
                    meanings.extend(self.meaning_in_trait(semantics, definition));
                }
            }
        }
        meanings
    }

    /// What an item of an `impl` means as the trait's item: either is a good answer for a mention.
    fn meaning_in_trait(
        &self,
        semantics: &Semantics<'_, RootDatabase>,
        definition: Definition,
    ) -> Option<Meaning> {
        let item = self.item_of_trait(definition)?;
        match self.place(semantics, item) {
            Some(place) => Some(Meaning::Inside(place)),
            None => self.is_foreign(item).then_some(Meaning::Outside),
        }
    }

    /// The trait's item that an item of an `impl` is for.
    fn item_of_trait(&self, definition: Definition) -> Option<Definition> {
        let database = &self.database;
        let item = definition.as_assoc_item(database)?;
        let name = item.name(database)?;
        let of = item.implemented_trait(database)?;
        let mut items = of.items(database).into_iter();
        let found = items.find(|one| one.name(database).as_ref() == Some(&name))?;
        Some(found.into())
    }

    /// Whether it is of the small `core`.
    fn is_foreign(&self, definition: Definition) -> bool {
        let of = definition.krate(&self.database);
        of.is_some_and(|of| of.origin(&self.database).is_lang())
    }

    fn place(
        &self,
        semantics: &Semantics<'_, RootDatabase>,
        definition: Definition,
    ) -> Option<Place> {
        let range = definition.range_for_rename(semantics)?;
        let id = range.file_id.file_id(&self.database);
        let (_, file) = *self.files.iter().find(|(file, _)| *file == id)?;
        let at = usize::from(range.range.start());
        Some(Place { file, at })
    }
}

fn is_name(token: &SyntaxToken) -> bool {
    matches!(token.kind(), SyntaxKind::IDENT | SyntaxKind::LIFETIME_IDENT)
}

fn absolute(path: &Utf8Path) -> String {
    if path.is_absolute() {
        path.to_string()
    } else {
        format!("/{path}")
    }
}

/// What the small `core` has of `PartialOrd`.
const COMPARE: &str = "fn partial_cmp(&self, other: &Rhs) -> Option<Ordering>;";

/// What it lacks, and what operators are looked up by.
const COMPARISONS: &str = "\
    fn lt(&self, other: &Rhs) -> bool { loop {} } fn le(&self, other: &Rhs) -> bool { loop {} } \
    fn gt(&self, other: &Rhs) -> bool { loop {} } fn ge(&self, other: &Rhs) -> bool { loop {} }";

/// The part of `core` that rust-analyzer has for its own tests.
fn small_core() -> String {
    let flags = MiniCore::available_flags(MiniCore::RAW_SOURCE);
    let flags = flags.filter(|flag| !flag.is_empty() && !flag.starts_with("fmt_before"));
    let core = MiniCore::from_flags(flags).source_code(MiniCore::RAW_SOURCE);
    core.replace(COMPARE, &format!("{COMPARE} {COMPARISONS}"))
}

fn graph(root: FileId, core: FileId, edition: Edition, cfgs: &[String]) -> CrateGraphBuilder {
    let mut graph = CrateGraphBuilder::default();
    let lang = CrateOrigin::Lang(LangCrateOrigin::Core);
    let core = add(
        &mut graph,
        core,
        "core",
        Edition::CURRENT,
        CfgOptions::default(),
        lang,
    );
    let local = CrateOrigin::Local {
        repo: None,
        name: None,
    };
    let judged = add(&mut graph, root, "judged", edition, options(cfgs), local);
    for name in ["core", "std", "alloc"] {
        let name = CrateName::new(name).expect("it has no dashes");
        let dependency = DependencyBuilder::with_prelude(name, core, true, true);
        graph
            .add_dep(judged, dependency)
            .expect("nothing depends on the crate itself");
    }
    graph
}

fn add(
    graph: &mut CrateGraphBuilder,
    root: FileId,
    name: &str,
    edition: Edition,
    cfgs: CfgOptions,
    origin: CrateOrigin,
) -> CrateBuilderId {
    let data = CrateWorkspaceData {
        target: Err("not asked for".into()),
        toolchain: None,
    };
    graph.add_crate_root(
        root,
        edition,
        Some(CrateDisplayName::from_canonical_name(name)),
        None,
        cfgs,
        None,
        Env::default(),
        origin,
        Vec::new(),
        false,
        Arc::new(AbsPathBuf::assert_utf8("/".into())),
        Arc::new(data),
    )
}

fn options(cfgs: &[String]) -> CfgOptions {
    let mut options = CfgOptions::default();
    for cfg in cfgs {
        match cfg.split_once('=') {
            Some((key, value)) => {
                let value = Symbol::intern(value.trim_matches('"'));
                options.insert_key_value(Symbol::intern(key), value);
            }
            None => options.insert_atom(Symbol::intern(cfg)),
        }
    }
    options
}

#[cfg(test)]
mod tests;
