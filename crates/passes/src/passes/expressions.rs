//! Functions that the passes over expressions and statements share: they find blocks and the uses
//! of variables, and say what may stand where.

pub(crate) mod literals;
pub(super) mod types;

use crate::program::{Place, Program, SyntaxFile};
use crate::visit::{self, Node};
use syn::{Block, Expr, Member, Pat, Path, UnOp};

/// A block, and the file in which it stands.
pub(super) type BlockOf<'p> = (SyntaxFile<'p>, &'p Block);

/// Returns all blocks of a program, an outer one before those in it, also in the arguments of macros.
pub(super) fn blocks<'p>(program: &'p Program) -> Vec<BlockOf<'p>> {
    let mut all = Vec::new();
    visit::each_also_in_macros(program, |at, node| {
        if let Node::Block(block) = node {
            all.push((at.file, block));
        }
    });
    all
}

/// Returns the place from the first byte after a block's `{` to the last before its `}`.
pub(super) fn contents(file: SyntaxFile<'_>, block: &Block) -> Place {
    file.inside(block.brace_token.span)
}

/// Returns the block that an expression is, if it is one without a label or attribute.
pub(super) fn plain_block(expression: &Expr) -> Option<&Block> {
    match expression {
        Expr::Block(one) if one.label.is_none() && one.attrs.is_empty() => Some(&one.block),
        _ => None,
    }
}

/// Whether an expression may be assigned to: it names something that is there already.
pub(super) fn is_place(expression: &Expr) -> bool {
    match expression {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => true,
        Expr::Unary(operation) => matches!(operation.op, UnOp::Deref(_)),
        Expr::Paren(inner) => is_place(&inner.expr),
        _ => false,
    }
}

/// Whether a function of this name asserts something for its callers.
#[must_use]
pub fn is_assertion_name(name: &str) -> bool {
    name.starts_with("assert")
}

/// Returns the variable that an expression begins with: `x` of `x.a[1].b()?`.
pub(crate) fn first_name(expression: &Expr) -> Option<&syn::Ident> {
    match expression {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        Expr::MethodCall(one) => first_name(&one.receiver),
        Expr::Field(one) => first_name(&one.base),
        Expr::Index(one) => first_name(&one.expr),
        Expr::Try(one) => first_name(&one.expr),
        Expr::Await(one) => first_name(&one.base),
        Expr::Paren(one) => first_name(&one.expr),
        Expr::Reference(one) => first_name(&one.expr),
        Expr::Unary(one) => first_name(&one.expr),
        Expr::Assign(one) => first_name(&one.left),
        _ => None,
    }
}

/// Returns the name that a pattern binds, if it does nothing else, with the type if that is written.
pub(crate) fn binding(pattern: &Pat) -> Option<(&syn::PatIdent, Option<&syn::Type>)> {
    match pattern {
        Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => Some((name, None)),
        Pat::Type(typed) => Some((binding(&typed.pat)?.0, Some(&typed.ty))),
        Pat::Paren(inner) => binding(&inner.pat),
        _ => None,
    }
}

/// Returns the name of a field, or its number.
pub(super) fn member_name(member: &Member) -> String {
    match member {
        Member::Named(name) => name.to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

/// The variants that hold the result of a success.
pub(super) const SUCCESS: [&str; 2] = ["Ok", "Some"];

/// Returns the content of a variant's value, if the variant is one of these: `e` of `Some(e)`.
pub(super) fn inside_of<'p>(expression: &'p Expr, variants: &[&str]) -> Option<&'p Expr> {
    let Expr::Call(call) = expression else {
        return None;
    };
    let Expr::Path(called) = &*call.func else {
        return None;
    };
    let name = &called.path.segments.last()?.ident;
    let is_meant = called.path.segments.len() == 1 && variants.iter().any(|one| name == one);
    call.args
        .first()
        .filter(|_| is_meant && call.args.len() == 1)
}

/// Whether two paths have the same names.
pub(super) fn is_same_path(a: &Path, b: &Path) -> bool {
    let names = |path: &Path| -> Vec<String> {
        let segments = path.segments.iter();
        segments.map(|segment| segment.ident.to_string()).collect()
    };
    names(a) == names(b)
}

#[cfg(test)]
mod tests {
    use super::super::testing::single;
    use super::super::{
        Pass, drop_calls, end_bodies, inline_values, replace_expressions, replace_unmade_values,
        simplify_return_types, simplify_typed_values, turn_variables_into_parameters, unroll_loops,
        unwrap_control_flow,
    };
    use crate::program::Program;
    use reduce_syntax::is_parsable;

    const PASSES: [Pass; 10] = [
        drop_calls::PASS,
        end_bodies::PASS,
        inline_values::PASS,
        replace_expressions::PASS,
        replace_unmade_values::PASS,
        simplify_return_types::PASS,
        simplify_typed_values::PASS,
        turn_variables_into_parameters::PASS,
        unroll_loops::PASS,
        unwrap_control_flow::PASS,
    ];

    const REAL: [&str; 3] = [
        include_str!("../../../syntax/src/lexer.rs"),
        include_str!("../flatten.rs"),
        include_str!("../../../syntax/src/replace.rs"),
    ];

    #[test]
    fn real_sources_become_simpler_and_still_parse() {
        for (pass, text) in PASSES.iter().flat_map(|pass| REAL.map(|text| (pass, text))) {
            let before = single(text);
            for edits in pass.single_edits(&Program::new(&before)) {
                let after = edits.apply(&before);
                let text = after.text(after.root());
                assert!(is_parsable(text), "{}: {text}", pass.name);
                assert!(after.is_simpler_than(&before), "{}: {text}", pass.name);
            }
        }
    }

    #[test]
    fn text_without_syntax_has_no_expressions() {
        for (pass, text) in PASSES
            .iter()
            .flat_map(|pass| [(pass, "fn f( {"), (pass, "")])
        {
            assert_eq!(pass.single_edits(&Program::new(&single(text))).len(), 0);
        }
    }
}
