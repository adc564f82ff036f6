//! Writes a benchmark of libtest as a plain test, which needs no nightly compiler: what `b.iter(..)` repeats is done once.

use super::test_file::{Change, TestFile, is_attribute};
use reduce_syntax::byte_range;
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall, FnArg, ItemFn, Pat};

/// Returns the change that turns a benchmark into a test of the same name.
pub(super) fn changes(file: TestFile<'_>, function: &ItemFn) -> Vec<Change> {
    plain(file, function).into_iter().collect()
}

fn plain(file: TestFile<'_>, function: &ItemFn) -> Option<Change> {
    let Some(FnArg::Typed(parameter)) = function.sig.inputs.first() else {
        return None;
    };
    let Pat::Ident(bencher) = &*parameter.pat else {
        return None;
    };
    let attribute = function
        .attrs
        .iter()
        .find(|one| is_attribute(one, "bench"))?;
    let parentheses = byte_range(&function.sig.paren_token.span.join());
    let mut repeated = Repeated {
        bencher: bencher.ident.to_string(),
        found: vec![],
    };
    repeated.visit_block(&function.block);
    let mut edits = vec![
        (byte_range(attribute), "#[test]".to_owned()),
        (parentheses, "()".to_owned()),
    ];
    edits.extend(repeated.found.into_iter().map(|(call, closure)| {
        let closure = &file.text[closure];
        (call, format!("drop(({closure})())"))
    }));
    Some(Change {
        edits,
        name: function.sig.ident.to_string(),
    })
}

/// Calls of the benchmark's `iter`, each with the place of its closure.
struct Repeated {
    bencher: String,
    found: Vec<(Range<usize>, Range<usize>)>,
}

impl<'a> Visit<'a> for Repeated {
    fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
        let is_bencher =
            matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident(&self.bencher));
        match call
            .args
            .first()
            .filter(|_| is_bencher && call.method == "iter")
        {
            Some(closure) => self.found.push((byte_range(call), byte_range(closure))),
            None => visit::visit_expr_method_call(self, call),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FailingCase, PlainTest, failing_case};

    #[test]
    fn what_is_repeated_is_done_once() {
        let text = "#[bench]\nfn f(b: &mut Bencher) { let n = 1; b.iter(|| a(n)); }";
        let text_after = "#[test]\nfn f() { let n = 1; drop((|| a(n))()); }".to_owned();
        let expected = PlainTest {
            text: text_after,
            test: "f".to_owned(),
        };
        assert_eq!(
            failing_case(text, "f", ""),
            FailingCase::Written(vec![expected])
        );
    }

    #[test]
    fn a_benchmark_of_another_form_stays() {
        let text = "#[bench] fn f(_: &mut Bencher) {}";
        assert_eq!(failing_case(text, "f", ""), FailingCase::Unreadable);
    }
}
