//! Iterator chains of the test are what their closures did.

use super::*;

#[test]
fn a_chain_of_closures_is_the_calls_that_it_made() {
    const FIND: &str = "|word| set.find(word)";
    check(
        "fn test() { let mut set = lib::Set::new(); [1_u8, 2].iter().for_each(|n| set.add(*n)); \
         let words = vec![\"a\", \"b\"]; \
         let found: Vec<usize> = words.iter().map(|word| set.find(word)).collect(); \
         assert_eq!(found, [0, 1]); }",
        &[
            Enters("test"),
            EntersClosure("|n| set.add(*n)"),
            Leaves,
            EntersClosure("|n| set.add(*n)"),
            Leaves,
            EntersClosure(FIND),
            Leaves,
            EntersClosure(FIND),
            Leaves,
            Makes(
                "words.iter().map(|word| set.find(word)).collect()",
                "alloc::vec::Vec<usize>",
            ),
            Panics,
        ],
        "let mut set = lib::Set::new();\nset.add(1);\nset.add(2);\n\
         assert_eq!(vec![set.find(\"a\"), set.find(\"b\")], [0, 1]);",
    );
}

#[test]
fn closures_tell_of_elements_that_only_the_run_knows() {
    const ADD: &str = "|(nth, line)| set.add(nth, line)";
    check(
        "fn test() { let mut set = lib::Set::new(); \
         TEXT.lines().enumerate().filter(|(_, text)| !text.is_empty()).for_each(|(nth, line)| set.add(nth, line)); \
         assert!(set.is_empty()); }",
        &[
            Enters("test"),
            EntersClosure("|(_, text)| !text.is_empty()"),
            Binds("text", "\"\""),
            Is("!text.is_empty()", "false"),
            Leaves,
            EntersClosure("|(_, text)| !text.is_empty()"),
            Binds("text", "\"b\""),
            Is("!text.is_empty()", "true"),
            Leaves,
            EntersClosure(ADD),
            Binds("nth", "1_usize"),
            Binds("line", "\"b\""),
            Leaves,
            Panics,
        ],
        "let mut set = lib::Set::new();\nset.add(1, \"b\");\nassert!(set.is_empty());",
    );
}

#[test]
fn a_fold_over_own_values_is_its_calls() {
    check(
        "fn test() { let names = [\"a\", \"b\"]; \
         let path = names.iter().fold(lib::Path::new(), |path, name| path.join(name)); \
         assert_eq!(path.len(), 3); }",
        &[
            Enters("test"),
            EntersClosure("|path, name| path.join(name)"),
            Leaves,
            EntersClosure("|path, name| path.join(name)"),
            Leaves,
            Panics,
        ],
        "assert_eq!(lib::Path::new().join(\"a\").join(\"b\").len(), 3);",
    );
}

#[test]
fn conditions_and_sums_over_calls_keep_the_calls() {
    check(
        "fn test() { let words = [\"a\", \"b\"]; \
         assert!(words.iter().any(|word| lib::is_name(word))); \
         assert_eq!(words.iter().map(|word| lib::length(word)).sum::<usize>(), 3); }",
        &[
            Enters("test"),
            EntersClosure("|word| lib::is_name(word)"),
            Is("lib::is_name(word)", "false"),
            Leaves,
            EntersClosure("|word| lib::is_name(word)"),
            Is("lib::is_name(word)", "true"),
            Leaves,
            Holds("assert!(words.iter().any(|word| lib::is_name(word)))"),
            EntersClosure("|word| lib::length(word)"),
            Leaves,
            EntersClosure("|word| lib::length(word)"),
            Leaves,
            Panics,
        ],
        "assert!(lib::is_name(\"a\") || lib::is_name(\"b\"));\n\
         assert_eq!(lib::length(\"a\") + lib::length(\"b\"), 3);",
    );
}

#[test]
fn own_functions_that_give_lists_are_walked_through_in_a_flat_map() {
    check(
        "fn both(n: &u8) -> Vec<lib::Cell> { vec![lib::cell(*n), lib::cell(*n + 1)] }\n\
         fn test() { let cells = [1_u8, 5].iter().flat_map(both).collect::<Vec<_>>(); \
         assert_eq!(lib::join(cells), 3); }",
        &[
            Enters("test"),
            Enters("both"),
            Is("*n", "1_u8"),
            Is("*n + 1", "2_u8"),
            Leaves,
            Enters("both"),
            Is("*n", "5_u8"),
            Is("*n + 1", "6_u8"),
            Leaves,
            Panics,
        ],
        "assert_eq!(lib::join(vec![lib::cell(1), lib::cell(2), lib::cell(5), lib::cell(6)]), 3);",
    );
}

#[test]
fn a_flat_map_over_lists_of_the_code_under_test_adds_to_a_list() {
    check(
        "fn test() { let lines: Vec<String> = [\"a\", \"b\"].iter().flat_map(|text| lib::wrap(text, 3)).collect(); \
         assert_eq!(lines.len(), 3); }",
        &[
            Enters("test"),
            EntersClosure("|text| lib::wrap(text, 3)"),
            Leaves,
            EntersClosure("|text| lib::wrap(text, 3)"),
            Leaves,
            Makes(
                "[\"a\", \"b\"].iter().flat_map(|text| lib::wrap(text, 3)).collect()",
                "alloc::vec::Vec<alloc::string::String>",
            ),
            Panics,
        ],
        "let mut all: Vec<String> = Vec::new();\nall.extend(lib::wrap(\"a\", 3));\nall.extend(lib::wrap(\"b\", 3));\n\
         assert_eq!(all.len(), 3);",
    );
}

#[test]
fn closures_of_a_chain_run_between_the_rounds_of_a_loop() {
    const OPEN: &str = "|name| lib::open(name)";
    check(
        "fn test() { for mut file in [\"a\", \"b\"].iter().map(|name| lib::open(name)) { file.write(1 + 1); } }",
        &[
            Enters("test"),
            EntersClosure(OPEN),
            Leaves,
            Round("file.write(1 + 1);"),
            Is("1 + 1", "2_u8"),
            EntersClosure(OPEN),
            Leaves,
            Round("file.write(1 + 1);"),
            Is("1 + 1", "2_u8"),
            Panics,
        ],
        "lib::open(\"a\").write(2);\nlib::open(\"b\").write(2);",
    );
}

#[test]
fn a_filter_by_the_code_under_test_stays() {
    let text = "let n = [\"a\", \"b\"].iter().filter(|word| lib::is_name(word)).count(); assert_eq!(n, 1);";
    let found = forms(
        &format!("fn test() {{ {text} }}"),
        &[
            Enters("test"),
            EntersClosure("|word| lib::is_name(word)"),
            Is("lib::is_name(word)", "false"),
            Leaves,
            EntersClosure("|word| lib::is_name(word)"),
            Is("lib::is_name(word)", "true"),
            Leaves,
            Panics,
        ],
    );
    let expected =
        "assert_eq!([\"a\", \"b\"].iter().filter(|word| lib::is_name(word)).count(), 1);";
    assert_eq!(found[0], expected);
}

#[test]
fn what_a_branch_on_the_code_under_test_gives_is_no_literal() {
    const LETTER: &str = "|at| match set.get(at) { Some(_) => 'x', None => '.' }";
    let text = "let set = lib::Set::new(); \
        let picture = [1_u8, 2].iter().map(|at| match set.get(at) { Some(_) => 'x', None => '.' }).collect::<String>(); \
        assert_eq!(picture, \"..\");";
    let found = forms(
        &format!("fn test() {{ {text} }}"),
        &[
            Enters("test"),
            EntersClosure(LETTER),
            Takes("'.'"),
            Leaves,
            EntersClosure(LETTER),
            Takes("'x'"),
            Leaves,
            Panics,
        ],
    );
    assert!(
        found[0].contains(".map(|at| match set.get(at) {"),
        "{}",
        found[0]
    );
}

#[test]
fn a_function_with_parameters_is_walked_through_from_its_first_call_on() {
    check(
        "struct Room<P> { queue: lib::Queue<P> }\n\
         impl<P: Clone> Room<P> { fn next(&mut self) -> P { self.queue.pop() } fn all(&mut self) { self.next(); self.next(); } }\n\
         fn test() { let mut room = Room { queue: lib::Queue::new() }; room.all(); assert!(room.queue.is_empty()); }",
        &[
            Enters("test"),
            Enters("all"),
            Stands("P", "u8"),
            Enters("next"),
            Leaves,
            Enters("next"),
            Leaves,
            Leaves,
            Panics,
        ],
        "let mut queue = lib::Queue::new();\nqueue.pop();\nqueue.pop();\nassert!(queue.is_empty());",
    );
}

#[test]
fn an_element_of_what_a_chain_gave_is_the_call_that_made_it() {
    const OPEN: &str = "|name| lib::open(name)";
    let happens = [
        Enters("test"),
        EntersClosure(OPEN),
        Leaves,
        EntersClosure(OPEN),
        Leaves,
        EntersClosure(OPEN),
        Leaves,
        Panics,
    ];
    check(
        "fn test() { let all: Vec<_> = [\"a\", \"b\", \"c\"].iter().map(|name| lib::open(name)).collect::<Vec<_>>(); \
         assert_eq!(all[1..][1], 4); }",
        &happens,
        "let mut value = lib::open(\"a\");\nlet mut value_2 = lib::open(\"b\");\nassert_eq!(lib::open(\"c\"), 4);",
    );
    check(
        "fn test() { assert_eq!([\"a\", \"b\", \"c\"].iter().map(|name| lib::open(name)).nth(1).unwrap(), 4); }",
        &happens,
        "lib::open(\"a\");\nassert_eq!(lib::open(\"b\"), 4);",
    );
}

#[test]
fn lists_that_the_test_fills_and_sorts_are_known() {
    check(
        "#[derive(Default)] struct Member { number: u32, fields: HashMap<String, u8> }\n\
         fn member(number: u32) -> Member { Member { number, ..Member::default() } }\n\
         fn test() { let mut all = Vec::new(); all.extend([member(3), member(2)]); \
         all.sort_by_key(|one| one.number); lib::greet(all[0].number); assert!(lib::is_done()); }",
        &[
            Enters("test"),
            Enters("member"),
            Leaves,
            Enters("member"),
            Leaves,
            Panics,
        ],
        "lib::greet(2);\nassert!(lib::is_done());",
    );
}

#[test]
fn a_copy_of_what_is_behind_a_reference_is_taken_where_the_test_took_it() {
    check(
        "fn last(map: &lib::Map) -> (u8, u8) { let (key, value) = map.last(); (*key, *value) }\n\
         fn test() { let mut map = lib::Map::new(); let (key, value) = last(&map); map.insert(key, value); \
         assert_eq!(map.get(key), value); }",
        &[Enters("test"), Enters("last"), Leaves, Panics],
        "let mut map = lib::Map::new();\nlet (key, value) = map.last();\nlet mut value_2 = *key;\n\
         let mut value_3 = *value;\nmap.insert(value_2, value_3);\nassert_eq!(map.get(value_2), value_3);",
    );
}

#[test]
fn a_loop_tells_of_what_a_function_of_the_standard_library_made() {
    check(
        "fn test() { let mut page = lib::Page::new(); let text = if lib::is_new() { \"a\" } else { \"b\" }; \
         for line in text.lines().map(str::trim) { page.add(line); } assert!(page.is_empty()); }",
        &[
            Enters("test"),
            Takes("\"a\""),
            Round("page.add(line);"),
            Binds("line", "\"a\""),
            Ends("page.add(line);"),
            Panics,
        ],
        "let mut page = lib::Page::new();\nlib::is_new();\npage.add(\"a\");\nassert!(page.is_empty());",
    );
}

#[test]
fn parameters_of_closures_that_stay_keep_their_names() {
    check(
        "fn price(n: u8) -> u8 { let tier = lib::tier(n); tier.map_or(0, |tier| tier.price) } \
         #[test] fn test() { let a = price(1); let b = price(2); assert_eq!(a + b, 3); }",
        &[
            Enters("test"),
            Enters("price"),
            Leaves,
            Enters("price"),
            Leaves,
            Leaves,
        ],
        "let mut tier = lib::tier(1);\n\
         assert_eq!(tier.map_or(0, |tier| tier.price) + lib::tier(2).map_or(0, |tier| tier.price), 3);",
    );
}

#[test]
fn a_function_that_is_passed_on_is_called_by_its_own_name() {
    check(
        "fn near(typed: &str, distance: fn(&str, &str) -> usize) -> usize { distance(typed, \"a\") } \
         fn half(of: &str) -> usize { lib::len(of) / 2 } \
         fn apply(to: &str, function: impl Fn(&str) -> usize) -> usize { function(to) } \
         fn test() { assert_eq!(near(\"b\", lib::distance) + apply(\"c\", half), 3); }",
        &[
            Enters("test"),
            Enters("near"),
            Leaves,
            Enters("apply"),
            Enters("half"),
            Leaves,
            Leaves,
            Panics,
        ],
        "assert_eq!(lib::distance(\"b\", \"a\") + (lib::len(\"c\") / 2), 3);",
    );
    check(
        "fn test() { let find = lib::find; let all: Vec<usize> = [1_u8, 2].into_iter().map(find).collect(); \
         assert_eq!(all, [3, 4]); }",
        &[
            Enters("test"),
            Makes(
                "[1_u8, 2].into_iter().map(find).collect()",
                "alloc::vec::Vec<usize>",
            ),
            Panics,
        ],
        "assert_eq!(vec![lib::find(1), lib::find(2)], [3, 4]);",
    );
}

#[test]
fn a_chain_waits_in_a_variable_until_that_is_named() {
    check(
        "fn test() { let n = 1; let words = [\"a\", \"b\"].iter().map(|word| lib::find(word, n)); let n = 2; \
         let words: Vec<usize> = words.rev().collect(); assert_eq!(words, [n]); }",
        &[Enters("test"), Panics],
        "assert_eq!([\"a\", \"b\"].iter().map(|word| lib::find(word, 1)).rev().collect::<Vec<usize>>(), [2]);",
    );
    const FIND: &str = "|word| lib::find(word, n)";
    check(
        "fn test() { let n = 1; let words = [\"a\", \"b\"].iter().map(|word| lib::find(word, n)); let n = 2; \
         let words: Vec<usize> = words.filter(|one| *one > n).collect(); assert_eq!(words.len(), n); }",
        &[
            Enters("test"),
            EntersClosure(FIND),
            Leaves,
            EntersClosure("|one| *one > n"),
            Is("*one > n", "true"),
            Leaves,
            EntersClosure(FIND),
            Leaves,
            EntersClosure("|one| *one > n"),
            Is("*one > n", "false"),
            Leaves,
            Makes(
                "words.filter(|one| *one > n).collect()",
                "alloc::vec::Vec<usize>",
            ),
            Panics,
        ],
        "lib::find(\"a\", 1) > 2;\nlib::find(\"b\", 1) > 2;\nlet mut words = vec![lib::find(\"a\", 1)];\n\
         assert_eq!(words.len(), 2);",
    );
}

#[test]
fn functions_are_called_with_what_is_known_to_be_in_an_option() {
    check(
        "struct Tier { price: lib::Price } fn find(all: &[Tier]) -> Option<&Tier> { all.first() } \
         fn test() { let tiers = vec![Tier { price: lib::price(1) }]; let none: Option<u8> = None; \
         let first = Some(&tiers[0]); let price = first.map_or(lib::Price::ZERO, |tier| tier.price); \
         let other = none.map_or(lib::price(2), lib::of); let twice = first.map(|tier| tier.price * 2); \
         assert_eq!(price + other, twice.unwrap()); }",
        &[
            Enters("test"),
            EntersClosure("|tier| tier.price"),
            Leaves,
            EntersClosure("|tier| tier.price * 2"),
            Leaves,
            Panics,
        ],
        "let mut price = lib::price(1);\nlet mut other = lib::price(2);\nlet mut value = price * 2;\nassert_eq!(price + other, value);",
    );
}

#[test]
fn maps_whose_order_is_known_are_gone_through() {
    check(
        "use std::collections::BTreeMap; fn test() { let mut all = BTreeMap::new(); all.insert(\"b\", lib::f(1)); all.insert(\"a\", lib::f(2)); \
         for one in all.values_mut() { one.grow(); } \
         for (name, one) in &all { one.call(name); } \
         let (name, last) = all.iter().next_back().unwrap(); assert_eq!(last.len(), name.len()); }",
        &[
            Enters("test"),
            Is("BTreeMap::new()", "std::collections::BTreeMap::from([])"),
            Round("one.grow();"),
            Round("one.grow();"),
            Ends("one.grow();"),
            Round("one.call(name);"),
            Round("one.call(name);"),
            Ends("one.call(name);"),
            Is("name.len()", "1"),
            Panics,
        ],
        "let mut value = lib::f(1);\nlet mut value_2 = lib::f(2);\nvalue_2.grow();\nvalue.grow();\n\
         value_2.call(&\"a\");\nvalue.call(&\"b\");\nassert_eq!(value.len(), 1);",
    );
    check(
        "use std::collections::HashMap; fn test() { let mut all = HashMap::new(); all.insert(\"b\", lib::f(1)); all.insert(\"a\", lib::f(2)); \
         for one in all.values() { one.call(); } assert!(all[\"a\"].is_empty()); }",
        &[
            Enters("test"),
            Is("HashMap::new()", "std::collections::HashMap::from([])"),
            Round("one.call();"),
            Round("one.call();"),
            Ends("one.call();"),
            Panics,
        ],
        "let mut value = lib::f(1);\nlet mut value_2 = lib::f(2);\n\
         let mut all = std::collections::HashMap::from([(\"b\", value), (\"a\", value_2)]);\n\
         let mut elements = all.values().into_iter();\nelements.next().unwrap().call();\n\
         elements.next().unwrap().call();\nassert!(all[\"a\"].is_empty());",
    );
}

#[test]
fn options_are_added_as_a_list() {
    const PRICE: &str = "|n| lib::price(*n)";
    let sum = [
        Enters("test"),
        EntersClosure(PRICE),
        Leaves,
        EntersClosure(PRICE),
        Leaves,
        Panics,
    ];
    check(
        "fn test() { let sum = [1_u8, 2].iter().map(|n| lib::price(*n)).sum::<Option<u32>>(); assert_eq!(sum, Some(3)); }",
        &sum,
        "assert_eq!([lib::price(1), lib::price(2)].into_iter().sum::<Option<u32>>(), Some(3));",
    );
    check(
        "fn test() { let sum = [1_u8, 2].iter().map(|n| lib::price(*n)).sum::<u32>(); assert_eq!(sum, 3); }",
        &sum,
        "assert_eq!(lib::price(1) + lib::price(2), 3);",
    );
}
