//! Makes modules of constants without a name that hold items (`const _: () = { .. };`), as macros and derives write
//! them so that nobody sees their helpers. The items are statements there; in a module they are items like all
//! others.

use crate::program::{Change, Place, Program};
use crate::visit::{self, At, Node};
use reduce_syntax::{EditSet, ListKind, TokenCursor};
use syn::{Block, Expr, Item, ItemConst, Stmt, Type, Visibility};

/// Returns the edits that make a module of each `const _: () = { .. };` that has nothing but items and is an item of
/// a module itself. What its items name is imported, and they are seen from where they were seen before.
pub(super) fn constants_as_modules(program: &Program) -> EditSet {
    let names = (1..).map(|number| format!("items{number}"));
    let mut names = names.filter(|name| program.mentions().spelled(name).is_empty());
    let constants = visit::collect(program, |at, node| match node {
        Node::Item(Item::Const(item)) => items_in(item).map(|block| (at, item, block)),
        _ => None,
    });
    let mut change = program.change();
    for (at, item, block) in constants {
        let is_relative = has_relative_path(at.file.text(block));
        if !is_relative && is_in_module(program, &at.place(item)) {
            let name = names.next().unwrap_or_default();
            make_module(&mut change, at, (item, block), &name);
        }
    }
    change.finish().unwrap_or_default()
}

fn make_module(
    change: &mut Change<'_>,
    at: At<'_>,
    (item, block): (&ItemConst, &Block),
    name: &str,
) {
    let file = at.file;
    let [open, close] = [
        block.brace_token.span.open(),
        block.brace_token.span.close(),
    ];
    let before = file.place(&item.const_token).range.start..file.place_of(open).range.end;
    let before = Place::new(file.id, before);
    change.replace(&before, &format!("mod {name} {{ use super::*;"));
    let after = file.place_of(close).range.start..file.place(&item.semi_token).range.end;
    change.replace(&Place::new(file.id, after), "}");
    for statement in &block.stmts {
        if let Stmt::Item(inner) = statement
            && is_private(inner)
        {
            let mut place = at.place(inner);
            let cursor = TokenCursor::without_docs(file.text(inner));
            place.range.start += cursor.range(cursor.skip_attributes(0)).start;
            change.insert(place.start(), "pub(super) ");
        }
    }
}

/// Whether an item has a name that is seen in its own module alone.
fn is_private(item: &Item) -> bool {
    let visibility = match item {
        Item::Const(item) => &item.vis,
        Item::Enum(item) => &item.vis,
        Item::Fn(item) => &item.vis,
        Item::Mod(item) => &item.vis,
        Item::Static(item) => &item.vis,
        Item::Struct(item) => &item.vis,
        Item::Trait(item) => &item.vis,
        Item::Type(item) => &item.vis,
        Item::Union(item) => &item.vis,
        _ => return false,
    };
    matches!(visibility, Visibility::Inherited)
}

/// Returns the block of a constant without a name, if it has nothing but items.
fn items_in(constant: &ItemConst) -> Option<&Block> {
    let Expr::Block(value) = &*constant.expr else {
        return None;
    };
    let is_item = |one: &Stmt| matches!(one, Stmt::Item(item) if !matches!(item, Item::Macro(_)));
    let is_unit = matches!(&*constant.ty, Type::Tuple(unit) if unit.elems.is_empty());
    let is_plain = constant.ident == "_" && value.attrs.is_empty() && value.label.is_none();
    let are_items = !value.block.stmts.is_empty() && value.block.stmts.iter().all(is_item);
    (is_unit && is_plain && are_items).then_some(&value.block)
}

/// Whether a path, or a visibility, begins at the module that a block is in. Those in a module of the block do not.
fn has_relative_path(block: &str) -> bool {
    let cursor = TokenCursor::without_docs(block);
    let is_in_module = |idx: usize| {
        let mut groups = cursor.groups_around(idx);
        groups.any(|open| cursor.before(open, 2) == "mod")
    };
    cursor.indices().any(|idx| {
        let is_relative = cursor.is(idx, "super") || cursor.are(idx, &["self", "::"]);
        is_relative && !is_in_module(idx)
    })
}

/// Whether an item is one of a module, and no statement of a block.
fn is_in_module(program: &Program, item: &Place) -> bool {
    let lists = program.tree().lists.iter();
    let mut items = lists
        .filter(|list| list.kind == ListKind::Items)
        .flat_map(|list| &list.elements);
    items.any(|element| Place::from(element) == *item)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{normalized, single};
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str) {
        let sources = single(before);
        let changed = constants_as_modules(&Program::new(&sources)).apply(&sources);
        let text = changed.text(changed.root());
        assert_eq!(normalized(text), normalized(after), "`{before}`");
    }

    #[test]
    fn items_are_put_into_a_module_that_sees_what_they_name() {
        check(
            "#[allow(a)] const _: () = { #[repr(C)] struct A(B); pub fn f() {} impl A {} mod b { use super::A; } };
             fn items1() {} const _: () = { use c::D; };",
            "#[allow(a)] mod items2 { use super::*; #[repr(C)] pub(super) struct A(B); pub fn f() {} impl A {}
                 pub(super) mod b { use super::A; } }
             fn items1() {} mod items3 { use super::*; use c::D; }",
        );
    }

    #[test]
    fn others_stay() {
        let blocks = [
            "f();",
            "pub(super) struct A;",
            "fn f() { self::g() }",
            "use super::A;",
            "n! {}",
            "",
        ];
        for block in blocks {
            let text = format!("const _: () = {{ {block} }};");
            check(&text, &text);
        }
        for text in [
            "const A: () = { struct B; };",
            "const _: u8 = { struct B; };",
            "fn f() { const _: () = { struct B; }; }",
        ] {
            check(text, text);
        }
    }
}
