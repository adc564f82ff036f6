//! Replaces the condition of a `cfg` or `cfg_attr` by a single word.

use crate::pass::{Rewriter, Work};
use crate::program::{Place, Program, simplest_first};
use reduce_syntax::{EditSet, TokenCursor};

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

fn changes(program: &Program) -> Vec<EditSet> {
    let mut found = Vec::new();
    for file in program.files() {
        let cursor = TokenCursor::without_docs(program.sources().text(file.id));
        let conditions = (0..cursor.len()).filter_map(|idx| condition(&cursor, idx));
        found.extend(conditions.filter_map(|(first, last)| {
            let place = Place::new(file.id, cursor.bytes(first, last));
            program.replaced([&place], "a")
        }));
    }
    simplest_first(program, found)
}

/// Returns the first and the last token of the condition in the attribute that begins at a token, unless the
/// condition is a single word.
fn condition(cursor: &TokenCursor<'_>, idx: usize) -> Option<(usize, usize)> {
    let name = idx + 1 + usize::from(cursor.is(idx + 1, "!")) + 1;
    let is_attribute = cursor.is(idx, "#") && cursor.is(name - 1, "[");
    let is_conditional =
        ["cfg", "cfg_attr"].contains(&cursor.word(name)) && cursor.is(name + 1, "(");
    let close = cursor
        .closing(name + 1)
        .filter(|_| is_attribute && is_conditional)?;
    let mut end = name + 2;
    while end < close && !cursor.is(end, ",") {
        end = cursor.closing(end).unwrap_or(end) + 1;
    }
    (end > name + 3).then(|| (name + 2, end - 1))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn a_condition_becomes_a_word() {
        check(
            &WORK,
            "struct S<#[cfg(all(b, not(c)))] T>(T); #[cfg_attr(feature = \"d\", derive(Debug, Clone))] struct E;",
            &[
                "struct S<#[cfg(a)] T>(T); #[cfg_attr(feature = \"d\", derive(Debug, Clone))] struct E;",
                "struct S<#[cfg(all(b, not(c)))] T>(T); #[cfg_attr(a, derive(Debug, Clone))] struct E;",
            ],
        );
    }

    #[test]
    fn words_and_other_attributes_stay() {
        check_not_applicable(
            &WORK,
            "#[cfg(test)] mod m {} #[derive(A, B)] struct S; #[cfg_attr(b, c(d))] fn f() {}",
        );
        check_not_applicable(&WORK, "fn f() { g!(cfg(all(b, c))); }");
    }

    #[test]
    fn the_condition_of_a_cfg_is_a_word() {
        check_has(
            &WORK,
            "#[cfg(feature = \"b\")] fn f() {}",
            "#[cfg(a)] fn f() {}",
        );
    }
}
