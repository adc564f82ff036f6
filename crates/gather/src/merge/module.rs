//! Rewrites a crate as the text of a module.

use super::Dependency;
use super::exports::Export;
use super::names::{AtRoot, Renames, Renaming, is_in_crate};
use super::program::{Program, macro_use};
use super::top_level::{is_top, modules_around, opens_module};
use crate::imports::ExternCrate;
use reduce_syntax::EditSet;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Crates that come with the compiler and are known only by an `extern crate`. Without `extern crate` at the root, nobody knows
/// them.
const TO_BE_NAMED: [&str; 3] = ["alloc", "test", "proc_macro"];
/// Crates whose macros a program with `std` has anyway.
const STANDARD: [&str; 3] = ["std", "core", "alloc"];

/// The module that a crate becomes, and the items that the program's root needs for it.
pub(super) struct Module {
    /// The module with its attributes.
    pub(super) text: String,
    /// The items that go to the program's root, one to a line.
    pub(super) hoisted: String,
}

impl Module {
    pub(super) fn new(dependency: &Dependency<'_>, program: &Program<'_>) -> Self {
        let maker = Maker {
            dependency,
            program,
            own: format!("crate::{}", program.name),
        };
        let (contents, imports) = maker.contents();
        let has_exports = !dependency.exports.is_empty();
        let attribute = match program.uses_macros && has_exports {
            true => "#[macro_use]\n",
            false => "",
        };
        let visibility = if program.is_public { "pub " } else { "" };
        let (name, contents) = (&program.name, contents.trim());
        Self {
            text: format!("{attribute}{visibility}mod {name} {{\n{contents}\n{imports}}}"),
            hoisted: maker.hoisted(),
        }
    }
}

struct Maker<'a> {
    dependency: &'a Dependency<'a>,
    program: &'a Program<'a>,
    /// The path of the new module in the program: `crate::name`.
    own: String,
}

impl Maker<'_> {
    /// Returns the text in the module, and the imports that follow it.
    fn contents(&self) -> (String, String) {
        let cursor = &self.dependency.cursor;
        let tree = self.dependency.model.sources();
        let mut edits = EditSet::new();
        let mut renaming = Renaming {
            file: tree.root(),
            cursor,
            top: &self.dependency.top,
            model: &self.dependency.model,
            renames: &self.renames(),
            is_root: false,
            edits: &mut edits,
        };
        renaming.rename();
        self.leave_out_header(&mut renaming);
        for found in &self.dependency.top.extern_crates {
            if let Some((first, last)) = macro_use(cursor, found) {
                renaming.replace(first, last, "");
            }
            if let Some(new) = self.new_name(cursor.word(found.name())) {
                renaming.extern_crate(found, new);
            }
        }
        self.name_foreign_macros(&mut renaming);
        let imports = self.export(&mut renaming);
        (edits.apply(tree).text(tree.root()).to_owned(), imports)
    }

    /// Returns the new names of other crates in the module, also by the names that `extern crate` gives them.
    fn renames(&self) -> Renames {
        let changed = self
            .dependency
            .krate
            .externs
            .iter()
            .filter(|(old, new)| old != new);
        let mut crates: BTreeMap<String, String> = changed.cloned().collect();
        for (&here, &name) in &self.dependency.top.crates {
            let new = match (name, crates.get(name)) {
                _ if here == "_" => continue,
                ("self", _) => self.own.clone(),
                (_, Some(new)) => new.clone(),
                _ if here == name && !self.is_hidden(name) => continue,
                _ => format!("{}::{here}", self.own),
            };
            crates.insert(here.to_owned(), new);
        }
        Renames {
            crates,
            own: Some(self.own.clone()),
            at_root: AtRoot::default(),
        }
    }

    /// Returns the new name of a crate that an `extern crate` names.
    fn new_name(&self, name: &str) -> Option<&str> {
        let mut externs = self.dependency.krate.externs.iter();
        let changed = externs.find(|(old, new)| old == name && old != new);
        match name {
            "self" => Some(&self.own),
            _ => changed.map(|(_, new)| new.as_str()),
        }
    }

    /// Returns whether a crate cannot be named at the program's root, as something else there has its name.
    fn is_hidden(&self, name: &str) -> bool {
        let is_other = self.program.top().defines(name, &[name.to_owned()]);
        TO_BE_NAMED.contains(&name) && is_other
    }

    fn leave_out_header(&self, renaming: &mut Renaming<'_>) {
        let header = &self.dependency.header;
        for &(first, last) in &header.attributes {
            if header.no_prelude != Some((first, last)) {
                renaming.replace(first, last, "");
            }
        }
    }

    /// Corrects the names of macros that came by `#[macro_use] extern crate` from a crate that is a module now: they are at the
    /// root.
    fn name_foreign_macros(&self, renaming: &mut Renaming<'_>) {
        let cursor = &self.dependency.cursor;
        if !self.uses_foreign_macros() {
            return;
        }
        let is_definition = |idx: &usize| cursor.are(*idx, &["macro_rules", "!"]);
        let definitions = cursor.indices().filter(is_definition);
        let own: BTreeSet<&str> = definitions.map(|idx| cursor.word(idx + 2)).collect();
        for idx in cursor.indices() {
            let name = cursor.word(idx);
            let is_call = cursor.is(idx + 1, "!") && !matches!(cursor.before(idx, 1), "::" | "$");
            if is_call && self.program.macros.contains(name) && !own.contains(name) {
                renaming.replace(idx, idx, &format!("crate::{name}"));
            }
        }
    }

    fn uses_foreign_macros(&self) -> bool {
        let cursor = &self.dependency.cursor;
        let externs = self.dependency.krate.externs;
        let is_module = |name: &str| {
            externs
                .iter()
                .any(|(old, new)| old == name && is_in_crate(new))
        };
        let mut found = self.dependency.top.extern_crates.iter();
        found
            .any(|found| is_module(cursor.word(found.name())) && macro_use(cursor, found).is_some())
    }

    /// Adapts the exported macros to a crate that is a module now. Returns imports for the end of the module.
    fn export(&self, renaming: &mut Renaming<'_>) -> String {
        let mut imports = String::new();
        let mut at_root = BTreeSet::new();
        for export in &self.dependency.exports {
            self.leave_out_tools(export, renaming);
            if export.is_argument || !self.program.has_room_for(export.name) {
                imports.push_str(&self.keep_inside(export, renaming));
            } else {
                at_root.insert(export.name);
            }
        }
        if self.program.uses_macros {
            self.use_macros_of_modules(renaming);
        }
        let names: Vec<&str> = at_root.into_iter().collect();
        if !names.is_empty() {
            let _ = writeln!(imports, "pub use crate::{{{}}};", names.join(", "));
        }
        imports
    }

    /// Removes tool attributes such as `#[tool::x]` from a macro: with them the compiler finds the macro too late.
    fn leave_out_tools(&self, export: &Export<'_>, renaming: &mut Renaming<'_>) {
        let cursor = &self.dependency.cursor;
        for idx in cursor.item_start(export.keyword)..export.keyword {
            let is_tool = cursor.are(idx, &["#", "["]) && cursor.is(idx + 3, "::");
            if let Some(last) = cursor.partner(idx + 1).filter(|_| is_tool) {
                renaming.replace(idx, last, "");
            }
        }
    }

    /// Makes an exported macro known in the module alone. Returns its import into the module.
    fn keep_inside(&self, export: &Export<'_>, renaming: &mut Renaming<'_>) -> String {
        let cursor = &self.dependency.cursor;
        let (first, last) = export.attribute;
        renaming.replace(first, last, "");
        let name = export.name;
        let end = cursor.word(export.end);
        renaming.replace(
            export.end,
            export.end,
            &format!("{end} pub(crate) use {name};"),
        );
        let modules = modules_around(cursor, export.keyword);
        match modules.is_empty() {
            true => String::new(),
            false => format!("pub(crate) use self::{}::{name};\n", modules.join("::")),
        }
    }

    /// Puts `#[macro_use]` before the modules around exported macros.
    fn use_macros_of_modules(&self, renaming: &mut Renaming<'_>) {
        let cursor = &self.dependency.cursor;
        let mut done = BTreeSet::new();
        for export in &self.dependency.exports {
            for opener in cursor.groups_around(export.keyword) {
                if opens_module(cursor, opener) && done.insert(opener) {
                    self.use_macros_of_module(opener, renaming);
                }
            }
        }
    }

    fn use_macros_of_module(&self, opener: usize, renaming: &mut Renaming<'_>) {
        let cursor = &self.dependency.cursor;
        let keyword = opener - 2;
        let mut attributes = cursor.item_start(keyword)..keyword;
        if !attributes.any(|idx| cursor.are(idx, &["#", "[", "macro_use"])) {
            let first = cursor.visibility_start(keyword);
            renaming.replace(
                first,
                first,
                &format!("#[macro_use] {}", cursor.word(first)),
            );
        }
    }

    /// Returns the `extern crate` items that the program's root needs.
    fn hoisted(&self) -> String {
        let Dependency { cursor, top, .. } = self.dependency;
        let crates = top.extern_crates.iter();
        let at_top = crates.filter(|found| is_top(cursor, found.keyword));
        at_top.filter_map(|found| self.hoist(found)).collect()
    }

    fn hoist(&self, found: &ExternCrate) -> Option<String> {
        let cursor = &self.dependency.cursor;
        let name = cursor.word(found.name());
        if self.new_name(name).is_some() {
            return None;
        }
        let is_standard = STANDARD.contains(&name) && !self.program.is_without_std();
        let has_macros = macro_use(cursor, found).is_some() && !is_standard;
        let needs_name =
            TO_BE_NAMED.contains(&name) || (name == "std" && self.program.is_without_std());
        let is_known = self.program.top().crates.contains_key(name);
        let is_named = found.alias.is_none() && needs_name && !is_known && !self.is_hidden(name);
        let attribute = if has_macros { "#[macro_use]\n" } else { "" };
        match (is_named, has_macros) {
            (true, _) => Some(format!("{attribute}extern crate {name};\n")),
            (false, true) => Some(format!("{attribute}extern crate {name} as _;\n")),
            (false, false) => None,
        }
    }
}
