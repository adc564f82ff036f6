//! Small trees, worked out by hand from the figures of *Extending Hierarchical Delta Debugging with
//! Hoisting*: which candidates come in which order.

use crate::sample::Sample;
use reduce_algorithms::tree::{Removal, TreeChange, TreeOptions, TreeStrategy};
use reduce_algorithms::{Ddmin, DdminOptions, List};

/// One round of each stage, as in the figures.
fn once(strategy: TreeStrategy) -> TreeOptions {
    TreeOptions {
        fixpoint: false,
        ..TreeOptions::published(strategy)
    }
}

#[test]
fn hdd_goes_down_level_by_level_as_in_figure_2() {
    let sample = Sample::new("R(-a(-c -d) -b(-e))");
    let outcome = sample.search(once(TreeStrategy::Hdd), |left| left.contains('d'));
    // ddmin takes a or b alone, then what is left of the level is tried; c and d are the next level.
    assert_eq!(outcome.tried, "-b -a -d -c -d");
    assert_eq!(outcome.accepted, "-b -c");
    assert_eq!(outcome.left, "Rad");
}

#[test]
fn a_fixpoint_tries_again_only_what_may_have_changed() {
    let sample = Sample::new("R(-a(-c -d) -b(-e))");
    let fixpoint = TreeOptions::published(TreeStrategy::Hdd);
    let outcome = sample.search(fixpoint, |left| left.contains('d'));
    // c is gone since -a failed; but -d failed on this very tree.
    assert_eq!(outcome.tried, "-b -a -d -c -d -a");
}

#[test]
fn a_level_is_one_list_for_hdd_and_children_are_one_for_hddr() {
    let sample = Sample::new("R(-a(-c -d) -b(-e -f))");
    let nothing = |_: &str| false;
    let hdd = sample.search(once(TreeStrategy::Hdd), nothing);
    assert_eq!(hdd.tried, "-b -a -ef -cd -def -cef -cdf -cde -c -d -e -f");
    let hddr = sample.search(once(TreeStrategy::HddRecursive), nothing);
    assert_eq!(hddr.tried, "-b -a -d -c -f -e");
}

#[test]
fn hddr_goes_down_before_it_goes_on() {
    let sample = Sample::new("R(-a(-b(-c)) -d(-e))");
    let outcome = sample.search(once(TreeStrategy::HddRecursive), |left| left.len() == 6);
    assert_eq!(outcome.tried, "-d -a -b -c -e");
}

#[test]
fn coarse_hdd_first_prunes_what_can_go_without_a_trace() {
    let sample = Sample::new("R(~a(-b) -c)");
    let outcome = sample.search(once(TreeStrategy::CoarseHdd), |_| false);
    assert_eq!(outcome.tried, "-c -b -a");
}

#[test]
fn hoistable_descendants_are_the_nearest_on_each_path_furthest_first_as_in_figure_7() {
    let sample = Sample::new("n1(x(a1(b1)) c1 y(z(d1)))");
    let outcome = sample.search(once(TreeStrategy::Hoist), |_| false);
    assert_eq!(outcome.tried, "n<d n<a n<c a<b");
}

#[test]
fn what_is_nearest_below_the_nearest_is_offered_too_unless_only_the_nearest_is() {
    let sample = Sample::new("n1(x(a1(b1(e1))) c1 y(z(d1)))");
    let options = TreeOptions {
        nearest_only: false,
        ..once(TreeStrategy::Hoist)
    };
    let outcome = sample.search(options, |_| false);
    assert_eq!(outcome.tried, "n<b n<d n<a n<c a<e a<b b<e");
}

#[test]
fn alternatives_are_limited_in_number_and_distance() {
    let sample = Sample::new("n1(x(a1(b1)) c1 y(z(d1)))");
    let options = once(TreeStrategy::Hoist);
    let near = TreeOptions {
        max_distance: Some(2),
        ..options
    };
    assert_eq!(sample.search(near, |_| false).tried, "n<a n<c a<b");
    let few = TreeOptions {
        max_alternatives: 2,
        ..options
    };
    assert_eq!(sample.search(few, |_| false).tried, "n<a n<c a<b");
    let none = TreeOptions {
        max_alternatives: 0,
        ..options
    };
    assert_eq!(sample.search(none, |_| false).tried, "");
}

#[test]
fn a_worklist_cuts_long_chains_by_halves() {
    let letters: Vec<char> = ('a'..='z').chain('A'..='Z').collect();
    let open: String = letters.iter().map(|letter| format!("{letter}1(")).collect();
    let text = format!("{open}{}", ")".repeat(letters.len())).replace("()", "");
    let sample = Sample::new(&text);
    let options = TreeOptions {
        max_distance: Some(8),
        nearest_only: false,
        ..once(TreeStrategy::Worklist)
    };
    let needs_ten = |left: &str| left.len() >= 10;
    let outcome = sample.search(options, needs_ten);
    assert_eq!(outcome.left.len(), 10);
    let hoisted = outcome.tried.split(' ').filter(|one| one.contains('<'));
    let first: Vec<&str> = hoisted.take(2).collect();
    assert_eq!(first, ["a<A", "A<B"], "{}", outcome.tried);
}

#[test]
fn only_compatible_nodes_are_hoisted_and_only_where_that_is_lighter() {
    let sample = Sample::new("n1(x2(a2) b3(c1))");
    let outcome = sample.search(once(TreeStrategy::Hoist), |_| false);
    assert_eq!(outcome.tried, "n<c x<a");
}

#[test]
fn hoist_goes_on_with_the_replacement_in_its_place_as_in_figures_6_and_8() {
    let sample = Sample::new("n1(x(a1(b1(f))) c1 y(z(d1)))");
    let outcome = sample.search(once(TreeStrategy::Hoist), |left| left.contains('b'));
    // Replacement is transitive: a, in the place of n, is replaced by b on the same level.
    assert_eq!(outcome.tried, "n<d n<a a<b");
    assert_eq!(outcome.left, "bf");
}

#[test]
fn hddh_prunes_and_then_hoists_at_each_level_as_in_figure_9() {
    let sample = Sample::new("R(-p1(-q -r1(-s)) -t)");
    let needs_s = |left: &str| left.contains('s');
    let interlaced = sample.search(once(TreeStrategy::Hddh), needs_s);
    assert_eq!(interlaced.tried, "-t -p p<r -s");
    assert_eq!(interlaced.left, "Rrs");
    let in_sequence = sample.search(once(TreeStrategy::HoistThenHdd), needs_s);
    assert_eq!(in_sequence.tried, "p<r -t -r -s");
    assert_eq!(in_sequence.left, "Rrs");
}

#[test]
fn hoisting_lets_hdd_go_where_it_is_stuck_alone_as_in_figure_5() {
    // F and G are the definitions of f and g; the statement s is f(g()), and g fails.
    let sample = Sample::new("P(-F -G -s(f1(g1)))");
    let fails = |left: &str| {
        let has = |name| left.contains(name);
        has('g') && has('G') && (has('F') || !has('f'))
    };
    let after = |strategy| sample.search(TreeOptions::published(strategy), fails).left;
    assert_eq!(after(TreeStrategy::Hdd), "PFGsfg");
    assert_eq!(after(TreeStrategy::Hoist), "PFGsg");
    for strategy in [
        TreeStrategy::HoistThenHdd,
        TreeStrategy::Hddh,
        TreeStrategy::HoistThenHddh,
        TreeStrategy::Worklist,
    ] {
        assert_eq!(after(strategy), "PGsg", "{}", strategy.name());
    }
}

#[test]
fn a_worklist_reduces_lists_and_replaces_what_is_left_the_nearest_first() {
    let sample = Sample::new("*R(-a(x y) -b1(c1(d1)) -e)");
    let outcome = sample.search(once(TreeStrategy::Worklist), |left| left.contains('d'));
    assert_eq!(outcome.tried, "-be -a -e -b b<c c<d");
    assert_eq!(outcome.left, "Rd");
    // All that is compatible is offered, however far, unless only the nearest is.
    let offers_all = TreeOptions {
        nearest_only: false,
        ..once(TreeStrategy::Worklist)
    };
    let outcome = sample.search(offers_all, |_| false);
    assert!(outcome.tried.ends_with("b<c b<d c<d"), "{}", outcome.tried);
}

#[test]
fn a_worklist_takes_the_heaviest_node_first_and_prunes_alone_what_is_in_no_list() {
    let sample = Sample::new("R(-a(b -c) -d(e -f g))");
    let outcome = sample.search(once(TreeStrategy::Worklist), |_| false);
    assert_eq!(outcome.tried, "-d -a -c -f");
}

#[test]
fn the_smallest_fragment_takes_the_place_of_what_cannot_be_removed() {
    let sample = Sample::new("R(~a(b c) ~d)");
    let outcome = sample.search(TreeOptions::default(), |_| true);
    // d is no heavier than its fragment, nor is what a became.
    assert_eq!(outcome.tried, "-a");
    assert_eq!(outcome.left, "Rad");
}

#[test]
fn a_place_keeps_what_may_be_done_there() {
    let sample = Sample::new("R(-a1(b1(c1)))");
    let (a, b, c) = (sample.named('a'), sample.named('b'), sample.named('c'));
    let mut tree = sample.tree.clone();
    assert!(!tree.is_prunable(b));
    tree.apply(&TreeChange::Hoist {
        node: a,
        descendant: b,
    });
    assert_eq!(tree.node(b).removal, Removal::Remove);
    assert!(tree.is_prunable(b) && !tree.is_prunable(c));
    assert_eq!((tree.weight(b), tree.depth(c)), (2, 2));
}

fn trying_empty(len: usize) -> Ddmin {
    let options = DdminOptions {
        try_empty: true,
        ..DdminOptions::PUBLISHED
    };
    Ddmin::over(List::new(len), options)
}

#[test]
fn the_last_node_of_a_list_is_tried_once_whether_or_not_the_list_algorithm_tries_it() {
    let sample = Sample::new("R(-a -b)");
    let needs_a = |left: &str| left.contains('a');
    let options = TreeOptions::published(TreeStrategy::Hdd);
    let not_tried = sample.search(options, needs_a);
    assert_eq!(not_tried.tried, "-b -a");
    let tried = sample.search_with(options, trying_empty, needs_a);
    assert_eq!(tried.tried, "-ab -b");
}

#[test]
fn all_of_a_level_can_go() {
    let sample = Sample::new("R(-a -b(-c))");
    let outcome = sample.search(TreeOptions::published(TreeStrategy::Hdd), |_| true);
    assert_eq!(outcome.left, "R");
    let roots = Sample::new("-a(-b) -c");
    let outcome = roots.search(TreeOptions::published(TreeStrategy::Hdd), |_| true);
    assert_eq!(outcome.left, "");
}
