//! Lets asynchronous tests run without a runtime: a function that an attribute of another crate would run, such as
//! `#[tokio::test]`, is polled in a loop. That is all that a future needs which waits for nothing outside of it.

use crate::rewriting::with_replaced;
use reduce_syntax::{Parsed, byte_range};
use std::ops::Range;
use syn::ItemFn;
use syn::visit::Visit;

/// The texts before and after the body of an asynchronous function, which poll the body's future to its end.
const POLLED: [&str; 2] = [
    "{ let mut future = std::pin::pin!(async ",
    "); loop { \
     if let std::task::Poll::Ready(value) = std::future::Future::poll(future.as_mut(), \
     &mut std::task::Context::from_waker(std::task::Waker::noop())) { return value; } } }",
];

/// Makes each asynchronous test or `main` of a program poll itself, instead of needing an attribute of another crate such as
/// `#[tokio::test]`; `None` if there are none, or where a part of the text is not understood.
#[must_use]
pub fn polled_without_runtime(text: &str) -> Option<String> {
    let parsed = Parsed::without_islands(text);
    let mut functions = RunFunctions::default();
    functions.visit_file(parsed.file()?);
    let replaced = functions.replaced;
    (!replaced.is_empty()).then(|| with_replaced(text, replaced))
}

#[derive(Default)]
struct RunFunctions {
    replaced: Vec<(Range<usize>, String)>,
}

impl<'ast> Visit<'ast> for RunFunctions {
    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        let Some(asyncness) = &function.sig.asyncness else {
            return;
        };
        let runs = function.attrs.iter().find_map(|attribute| {
            let path = attribute.path();
            let last = path.segments.last().filter(|_| path.segments.len() > 1)?;
            let instead = match last.ident.to_string().as_str() {
                "test" => "#[test]",
                "main" => "",
                _ => return None,
            };
            Some((byte_range(attribute), instead))
        });
        let Some((attribute, instead)) = runs.filter(|_| function.sig.inputs.is_empty()) else {
            return;
        };
        let body = byte_range(&function.block);
        let [before, after] = POLLED;
        self.replaced.extend([
            (attribute, instead.to_owned()),
            (byte_range(asyncness), String::new()),
            (body.start..body.start, before.to_owned()),
            (body.end..body.end, after.to_owned()),
        ]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let [before, after] = POLLED;
        let expected = expected.map(|text| text.replace("<<", before).replace(">>", after));
        assert_eq!(polled_without_runtime(text), expected);
    }

    #[test]
    fn a_test_of_a_runtime_is_polled() {
        check(
            "mod a { #[tokio::test(flavor = \"x\")] async fn f() -> R { g().await } }",
            Some("mod a { #[test]  fn f() -> R <<{ g().await }>> }"),
        );
        check(
            "#[async_std::main] async fn main() {}",
            Some("  fn main() <<{}>>"),
        );
    }

    #[test]
    fn what_no_runtime_runs_stays() {
        check("#[test] fn f() {} async fn g() { h().await }", None);
        check("#[tokio::test] async fn f(a: u8) {}", None);
        check("#[tokio::test] fn f() {}", None);
        check("#[tokio::test] async fn f() { a b c }", None);
    }
}
