use super::super::markdown::{block, span};
use super::*;
use crate::accept::{LoggedState, Occasion};
use crate::candidate::{Candidate, CompileOptions};
use crate::summary::tests::summary;
use reduce_syntax::SourceTree;
use std::sync::Arc;
use std::time::Duration;

/// A text that a program or a compiler may write for whoever opens the page.
const HOSTILE: &str =
    "</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> \"' & \u{202e}";

fn tree(text: &str) -> SourceTree {
    SourceTree::single("lib.rs".into(), Arc::from(text))
}

fn candidate(tree: SourceTree) -> Candidate {
    Candidate {
        tree,
        compile_options: CompileOptions::default(),
    }
}

fn log(programs: &[String]) -> StepLog {
    let mut log = StepLog::new(&tree(&programs[0]), &CompileOptions::default());
    for (number, program) in (1..).zip(&programs[1..]) {
        let tree = tree(program);
        let state = LoggedState {
            occasion: Occasion::Accepted(number),
            pass: "delete_items".to_owned(),
            tokens: tree.count_tokens(),
            queries: 3 * number,
            elapsed: Duration::from_millis(17 * number),
        };
        log.push(state, &candidate(tree));
    }
    log
}

fn report(text: &str) -> ReportText {
    ReportText {
        title: text.to_owned(),
        reporting: Some(Reporting {
            title: Some(text.to_owned()),
            search: Some("https://a.b/?q=\"><script>".to_owned()),
            issue: "https://a.b/".to_owned(),
            empty_issue: "https://a.b/".to_owned(),
        }),
        body: format!(
            "### Code\n\n{}- Failure: {}\n",
            block("rust", text),
            span(text)
        ),
        other_crashes: vec![(HOSTILE.to_owned(), "1".to_owned())],
    }
}

fn hostile_summary() -> Summary {
    let signature = r#"{"kind":"panic","file":null,"position":null,"message":"","query":null}"#;
    summary(serde_json::from_str(signature).expect("it is one"))
}

fn hostile_page() -> String {
    let code = format!("fn f() {{ \"{HOSTILE}\" }}\n");
    let programs = [
        format!("{code}{code}"),
        code.clone(),
        format!("// {HOSTILE}\n"),
    ];
    page(&hostile_summary(), &report(&code), &log(&programs))
}

#[test]
fn nothing_that_others_wrote_is_a_tag() {
    let page = hostile_page();
    assert_eq!(
        page.matches("<script").count(),
        3,
        "the data, the times, and ours"
    );
    assert_eq!(page.matches("</script").count(), 3);
    for part in ["<img", "<!--", "alert(1)</script>", "\u{202e}"] {
        assert!(!page.contains(part), "{part} in\n{page}");
    }
    assert!(
        page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"),
        "nothing is left out"
    );
    assert!(
        page.contains("\\u003c/script>\\u003cscript>alert(1)"),
        "nothing is left out"
    );
}

#[test]
fn the_data_of_the_steps_are_json() {
    let page = hostile_page();
    let start = page.find("id=\"data\">").expect("there are data") + 10;
    let end = start + page[start..].find("</script>").expect("they have an end");
    let data: serde_json::Value = serde_json::from_str(&page[start..end]).expect("it is JSON");
    assert_eq!(data["states"].as_array().map(Vec::len), Some(3));
    assert_eq!(data["states"][1][0], "delete_items");
    let parts = data["files"][0]["parts"]
        .as_array()
        .expect("there are parts");
    let there = parts
        .iter()
        .filter(|part| part[0].as_u64() <= Some(2) && part[1] == 0);
    let last: String = there.filter_map(|part| part[2].as_str()).collect();
    assert_eq!(last, escape::lines(&format!("// {HOSTILE}\n")));
}

#[test]
fn all_sections_are_there_and_no_address_is_loaded() {
    let page = hostile_page();
    for id in [
        "reporting",
        "report",
        "steps",
        "curve",
        "passes",
        "queries",
        "other-crashes",
        "as-markdown",
        "time",
    ] {
        assert!(page.contains(&format!("<section id=\"{id}\"")), "no {id}");
    }
    assert!(page.contains("default-src 'none'"));
    for part in [" src=\"", "<link", "@import", "url("] {
        assert!(!page.contains(part), "{part}");
    }
}

#[test]
fn only_the_last_section_depends_on_the_time() {
    let page_after = |milliseconds: u32| {
        let mut summary = hostile_summary();
        summary.costs.wall_seconds = f64::from(milliseconds);
        summary.costs.overhead_seconds = f64::from(milliseconds);
        summary.costs.peak_memory_bytes = u64::from(milliseconds) << 20;
        let mut log = StepLog::new(&tree("a; b;"), &CompileOptions::default());
        let state = LoggedState {
            occasion: Occasion::Accepted(1),
            pass: "delete_items".to_owned(),
            tokens: 2,
            queries: 5,
            elapsed: Duration::from_millis(u64::from(milliseconds)),
        };
        log.push(state, &candidate(tree("a;")));
        page(&summary, &report("x"), &log)
    };
    let [one, other] = [page_after(7), page_after(11)].map(|page| without_time(&page));
    assert_eq!(one, other);
}

/// Leaves the section of times out of a page, and the digest of all of it.
fn without_time(page: &str) -> String {
    let start = page.find("<section id=\"time\"").expect("there is one");
    let end = start + page[start..].find("</section>").expect("it has an end");
    let nonce = page
        .split("'nonce-")
        .nth(1)
        .and_then(|rest| rest.split('\'').next());
    let rest = format!("{}{}", &page[..start], &page[end..]);
    rest.replace(nonce.expect("there is a nonce"), "")
}

#[test]
fn the_page_of_five_hundred_steps_of_a_large_program_is_small() {
    let item = |number: usize| {
        format!(
            "fn function_{number}(text: &str) -> Option<usize> {{\n    text.find(\"<{number}>\").map(|at| at + {number})\n}}\n\n"
        )
    };
    let items: Vec<String> = (0..1_000).map(item).collect();
    let programs: Vec<String> = (0..=500)
        .map(|step| items[step * 1_999 / 1_000..].concat())
        .collect();
    let tokens = tree(&programs[0]).count_tokens();
    assert!(tokens > 30_000, "{tokens}");
    let page = page(&hostile_summary(), &report("fn f() {}"), &log(&programs));
    assert!(page.len() < 700_000, "{}", page.len());
}

#[test]
fn a_search_without_a_step_has_a_page() {
    let page = page(
        &hostile_summary(),
        &report("x"),
        &log(&["fn f() {}".to_owned()]),
    );
    assert!(page.contains("max=\"0\""));
}
