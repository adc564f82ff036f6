//! The figures of the papers, exactly.

use crate::harness::run;
use reduce_algorithms::{
    Cdd, Ddmin, DdminOptions, Kind, List, ListAlgorithm, ProbDd, ProbabilityOptions, Replacement,
    Revisit, Search, Subset, Tmin, WeightedDdmin, WeightedProbDd,
};

/// WDD, Fig. 1(a).
const WEIGHTS: [u64; 8] = [5, 8, 7, 7, 8, 16, 25, 6];

/// The kept elements of each test, counted from 1 as in the papers, and its verdict.
type Tests = Vec<(String, bool)>;

fn numbers(subset: &Subset) -> String {
    subset
        .kept()
        .map(|element| (element + 1).to_string())
        .collect()
}

/// Runs a search on the example of WDD, Fig. 1: the result and the tests.
fn run_example(mut search: impl Search<Candidate = Subset>) -> (String, Tests) {
    let needed = [0, 2, 5, 6, 7];
    let run = run(&mut search, |_, subset| {
        needed.iter().all(|one| subset.keeps(*one))
    });
    let tests = run
        .tested
        .iter()
        .map(|(subset, verdict)| (numbers(subset), *verdict))
        .collect();
    (run.accepted.last().map(numbers).unwrap_or_default(), tests)
}

/// The numbers, from 1, of the tests that were interesting, and what they kept.
fn successes(tests: &Tests) -> Vec<(usize, &str)> {
    let numbered = (1..).zip(tests).filter(|(_, (_, verdict))| *verdict);
    numbered
        .map(|(number, (kept, _))| (number, kept.as_str()))
        .collect()
}

fn weighted(options: DdminOptions) -> (String, usize) {
    let (result, tests) = run_example(WeightedDdmin::new(&WEIGHTS, options));
    (result, tests.len())
}

#[test]
fn ddmin_needs_30_tests_for_the_example_of_wdd() {
    let (result, tests) = run_example(Ddmin::new(8));
    assert_eq!((result.as_str(), tests.len()), ("13678", 30));
    // WDD, Fig. 2(a): its successes remove 2, 4 and 5.
    assert_eq!(
        successes(&tests),
        [(20, "1345678"), (22, "135678"), (25, "13678")]
    );
}

#[test]
fn wddmin_tests_the_example_of_wdd_in_the_order_of_its_algorithm() {
    let (result, tests) = run_example(WeightedDdmin::new(&WEIGHTS, DdminOptions::PUBLISHED));
    #[rustfmt::skip]
    let expected = [
        "12345", "678", // subsets of the first round; their complements are the same
        "123", "45", "6", "78", "45678", "123678", // 4 and 5 go
        "12378", "1236", // 6 leaves the rounds
        "12", "3", "7", "8", "3678", "12678", "12368", "12367", // so do 3, 7 and 8
        "1", "2", "23678", "13678", // 2 goes
        "1678", "1378", "1368", "1367", // the final pass; 3678 was tested above
    ];
    let kept: Vec<&str> = tests.iter().map(|(kept, _)| kept.as_str()).collect();
    assert_eq!(kept, expected);
    assert_eq!(successes(&tests), [(8, "123678"), (22, "13678")]);
    assert_eq!(result, "13678");
}

#[test]
fn wddmin_without_the_final_pass_needs_22_tests_for_the_example_of_wdd() {
    let options = DdminOptions {
        ensure_one_minimal: false,
        ..DdminOptions::PUBLISHED
    };
    assert_eq!(weighted(options), ("13678".to_owned(), 22));
}

#[test]
fn wddmin_with_other_options_reduces_the_example_of_wdd_to_the_same() {
    let published = DdminOptions::PUBLISHED;
    let continues = DdminOptions {
        revisit: Revisit::Continue,
        ..published
    };
    let complements = DdminOptions {
        subsets: false,
        ..continues
    };
    let counts = [continues, complements, DdminOptions::default()].map(weighted);
    assert_eq!(counts.map(|(_, count)| count), [26, 16, 15]);
}

#[test]
fn wprobdd_needs_11_tests_for_the_example_of_wdd() {
    let options = ProbabilityOptions {
        initial_probability: 0.2,
        ..ProbabilityOptions::PUBLISHED
    };
    let list = List::weighted(WEIGHTS);
    let (result, tests) = run_example(WeightedProbDd::over(list, options));
    assert_eq!((result.as_str(), tests.len()), ("13678", 11));
    // WDD, Fig. 2(d), in which the shaded elements are kept.
    assert_eq!(tests[0].0, "123458");
    assert_eq!(tests[1].0, "1234568");
    assert_eq!(tests[2].0, "13478");
    assert_eq!(successes(&tests), [(6, "134678"), (10, "13678")]);
}

#[test]
fn probdd_needs_12_tests_for_the_example_of_wdd_in_the_order_of_the_list() {
    // WDD, Fig. 2(c), draws equal elements by chance, and comes to 15.
    let options = ProbabilityOptions {
        initial_probability: 0.2,
        ..ProbabilityOptions::PUBLISHED
    };
    let (result, tests) = run_example(ProbDd::over(List::new(8), options));
    assert_eq!((result.as_str(), tests.len()), ("13678", 12));
    // The sizes are those of the figure: 5 elements promise as much as 4, and the larger set is taken;
    // then 3.
    let sizes: Vec<usize> = tests.iter().map(|(kept, _)| 8 - kept.len()).collect();
    assert_eq!(sizes[..2], [5, 3]);
}

#[test]
fn one_pass_variants_try_each_run_once_and_nothing_else() {
    let kinds = |mut search: Box<dyn Search<Candidate = Subset>>| {
        let run = run(&mut *search, |_, subset| {
            [0, 2, 5, 6, 7].iter().all(|one| subset.keeps(*one))
        });
        let kinds: Vec<Kind> = run.tested.iter().map(|(subset, _)| subset.kind()).collect();
        let count = |kind: Kind| kinds.iter().filter(|one| **one == kind).count();
        (Kind::ALL.map(count), run.accepted.last().map(numbers))
    };
    let published = DdminOptions::PUBLISHED;
    let one_pass = DdminOptions::ONE_PASS;
    let searches: [Box<dyn Search<Candidate = Subset>>; 4] = [
        Box::new(Ddmin::new(8)),
        Box::new(Ddmin::over(List::new(8), one_pass)),
        Box::new(WeightedDdmin::new(&WEIGHTS, published)),
        Box::new(WeightedDdmin::new(&WEIGHTS, one_pass)),
    ];
    // empty, subset, complement, revisit, one by one
    let result = Some("13678".to_owned());
    assert_eq!(
        searches.map(kinds),
        [
            ([0, 14, 12, 4, 0], result.clone()),
            ([0, 0, 14, 0, 0], result.clone()),
            ([0, 12, 10, 0, 4], result.clone()),
            ([0, 0, 12, 0, 0], result),
        ]
    );
}

/// *Toward a Better Understanding of ProbDD*, Fig. 1: eight lines of Python. The last crashes; a
/// line that uses a name runs only if an earlier line defines it.
fn python_crashes(subset: &Subset) -> bool {
    let lines: [(&str, &[&str]); 8] = [
        ("math sys", &[]),
        ("input", &["sys"]),
        ("a", &["input"]),
        ("b", &["math"]),
        ("c", &[]),
        ("d", &["b", "a"]),
        ("c", &["math", "d", "b"]),
        ("", &["c"]),
    ];
    let mut defined: Vec<&str> = vec![];
    for (defines, uses) in subset.kept().map(|line| lines[line]) {
        if !uses.iter().all(|name| defined.contains(name)) {
            return false;
        }
        defined.extend(defines.split(' '));
    }
    subset.keeps(7)
}

#[test]
fn ddmin_removes_line_5_of_the_python_example_with_its_23rd_test() {
    let run = run(&mut Ddmin::new(8), |_, subset| python_crashes(subset));
    let first_success = run.tested.iter().position(|(_, verdict)| *verdict);
    assert_eq!(first_success, Some(22));
    // The paper counts 30, as it counts the removal of line 6 again: after 5 and 6 together it is known.
    assert_eq!(run.tested.len(), 29);
    let accepted: Vec<String> = run.accepted.iter().map(numbers).collect();
    assert_eq!(accepted, ["1234678"]);
}

#[test]
fn list_algorithms_try_the_empty_list_first_where_asked() {
    let options = DdminOptions::default();
    let probability = ProbabilityOptions::default();
    let searches: [Box<dyn Search<Candidate = Subset>>; 5] = [
        Box::new(Ddmin::over(List::new(5), options)),
        Box::new(WeightedDdmin::new(&[1, 2, 3, 4, 5], options)),
        Box::new(ProbDd::over(List::new(5), probability)),
        Box::new(WeightedProbDd::over(List::new(5), probability)),
        Box::new(Cdd::over(List::new(5), probability)),
    ];
    for mut search in searches {
        let (ticket, candidate) = search.propose().unwrap();
        assert!(candidate.is_empty());
        let accepted = search.answer(ticket, true).accepted.unwrap().candidate;
        assert_eq!(accepted.removed().count(), 5);
        assert!(search.is_done());
    }
}

#[test]
fn empty_lists_and_lists_of_one_element_need_no_test_but_the_empty_one() {
    let count = |algorithm: ListAlgorithm, len| {
        let mut search = algorithm.search(List::new(len));
        let mut tests = 0;
        while let Some((ticket, candidate)) = search.propose() {
            assert!(candidate.is_empty());
            search.answer(ticket, false);
            tests += 1;
        }
        tests
    };
    let trying = DdminOptions::default();
    let probability = ProbabilityOptions::default();
    let all_trying = [
        ListAlgorithm::Ddmin(trying),
        ListAlgorithm::WeightedDdmin(trying),
        ListAlgorithm::ProbDd(probability),
        ListAlgorithm::WeightedProbDd(probability),
        ListAlgorithm::Cdd(probability),
    ];
    for (published, trying) in ListAlgorithm::ALL.into_iter().zip(all_trying) {
        assert_eq!([count(published, 0), count(trying, 0)], [0, 0]);
        assert_eq!([count(published, 1), count(trying, 1)], [0, 1]);
    }
}

#[test]
fn tmin_tries_failed_alternatives_again_after_an_acceptance() {
    // Element 0 can be replaced only once element 2 is.
    let is_interesting = |accepted: &[Replacement], candidate: &Replacement| {
        candidate.element == 2 || candidate.element == 0 && !accepted.is_empty()
    };
    let run = run(&mut Tmin::new(vec![1, 2, 1]), is_interesting);
    let order: Vec<(usize, usize)> = run
        .tested
        .iter()
        .map(|(tried, _)| (tried.element, tried.alternative))
        .collect();
    assert_eq!(
        order,
        [(0, 0), (1, 0), (1, 1), (2, 0), (0, 0), (1, 0), (1, 1)]
    );
    let accepted: Vec<usize> = run.accepted.iter().map(|step| step.element).collect();
    assert_eq!(accepted, [2, 0]);
}

#[test]
fn tmin_without_alternatives_is_done_at_once() {
    assert!(Tmin::new(vec![]).is_done());
    assert!(Tmin::new(vec![0, 0]).is_done());
}
