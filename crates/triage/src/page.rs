//! `triage.html`: the groups as a page for people. What others have written is escaped by `maud`.

use crate::record::{GroupRecord, KnownRecord, Triage};
use crate::table::counted;
use maud::{Markup, html};
use reduce_oracle::escape;

/// Makes the body of the page.
#[must_use]
pub fn page_body(triage: &Triage) -> Markup {
    let members: usize = triage.groups.iter().map(|group| group.members.len()).sum();
    html! {
        header {
            h1 { "Triage: " (counted(triage.groups.len(), "group", "groups")) " of " (counted(members, "crash", "crashes")) }
            p.sizes {
                @for toolchain in &triage.toolchains {
                    (escape::line(&toolchain.name)) ": " (escape::line(&toolchain.version)) ". "
                }
                @if !triage.is_complete { "It was stopped before all was reduced: the same command goes on." }
            }
        }
        main {
            (overview(triage))
            @for group in &triage.groups { (section(group)) }
            @if !triage.others.is_empty() { (others(triage)) }
        }
    }
}

fn overview(triage: &Triage) -> Markup {
    html! {
        section id="groups" {
            h2 { "Groups" }
            table {
                thead { tr {
                    th { "group" } th { "members" } th { "tokens" } th { "toolchains" } th { "known" } th { "maybe" }
                } }
                tbody {
                    @for group in &triage.groups {
                        @let here = format!("#group-{}", group.number);
                        tr {
                            th { a href=(here) { (group.number) } }
                            td { (group.members.len()) }
                            td { @if let Some(reduced) = &group.reduced { (reduced.tokens) } @else { "not reduced" } }
                            td { (escape::line(&group.toolchains.join(", "))) }
                            td { @if let Some(known) = group.known.first() { (name(known)) } }
                            td { @for number in &group.possibly_same_as { (number) " " } }
                        }
                    }
                }
            }
            p.legend {
                "Crashes of one group have the same signature, and are reduced to the same program up to names. A group that is "
                "maybe another one has its signature, and another program."
            }
        }
    }
}

fn section(group: &GroupRecord) -> Markup {
    let id = format!("group-{}", group.number);
    html! {
        section id=(id) {
            h2 { "Group " (group.number) }
            p { code { (escape::line(&group.signature)) } }
            @if let Some(why) = &group.failed { p { "Not reduced: " (escape::line(why)) } }
            @if let Some(reduced) = &group.reduced {
                @if let Some(program) = &reduced.program {
                    div.code { pre { code { (escape::lines(program)) } } }
                }
                p {
                    (reduced.tokens) " tokens, from " code { (escape::line(&reduced.from)) } ": "
                    a href=(reduced.report) { "the report" }
                }
            }
            (known_list("Known as", &group.known))
            (known_list("Possibly known as: the same signature, and another program", &group.possibly_known))
            @if !group.possibly_same_as.is_empty() {
                p {
                    "Possibly the same as group "
                    @for number in &group.possibly_same_as {
                        @let there = format!("#group-{number}");
                        a href=(there) { (number) } " "
                    }
                }
            }
            details {
                summary { (counted(group.members.len(), "member", "members")) }
                table {
                    thead { tr { th { "input" } th { "tokens" } th { "core" } th { "confirmed by" } } }
                    tbody {
                        @for member in &group.members {
                            tr {
                                th { code { (escape::line(&member.input)) } }
                                td { (member.tokens) }
                                td { @if let Some(tokens) = member.core_tokens { (tokens) } }
                                td { (member.confirmed.words()) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn known_list(words: &str, known: &[KnownRecord]) -> Markup {
    html! {
        @if !known.is_empty() {
            p { (words) ":" }
            ul { @for one in known { li { (name(one)) } } }
        }
    }
}

fn name(known: &KnownRecord) -> Markup {
    html! {
        @if let Some(bug) = &known.bug { (escape::line(bug)) " " }
        code { (escape::line(&known.file)) }
    }
}

fn others(triage: &Triage) -> Markup {
    html! {
        section id="others" {
            h2 { "Inputs in no group" }
            ul {
                @for other in &triage.others {
                    li { code { (escape::line(&other.input)) } ": " (escape::line(&other.reason)) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Other, TRIAGE_VERSION};

    #[test]
    fn what_others_have_written_is_escaped() {
        let triage = Triage {
            version: TRIAGE_VERSION,
            is_complete: false,
            toolchains: Vec::new(),
            groups: Vec::new(),
            others: vec![Other {
                input: "<script>".to_owned(),
                reason: "it compiles".to_owned(),
            }],
        };
        let page = page_body(&triage).into_string();
        assert!(page.contains("&lt;script&gt;"), "{page}");
        assert!(!page.contains("<script>"), "{page}");
        assert!(page.contains("It was stopped"), "{page}");
    }
}
