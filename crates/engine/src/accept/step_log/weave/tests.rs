use super::*;

fn tree(files: &[(&str, &str)]) -> SourceTree {
    let files = files.iter();
    let files = files.map(|(path, text)| (Utf8PathBuf::from(path), Arc::from(*text)));
    SourceTree::from_files("lib.rs".into(), files).expect("the root is there")
}

fn single(text: &str) -> SourceTree {
    tree(&[("lib.rs", text)])
}

/// Weaves programs one after the other.
fn woven(programs: &[SourceTree], longest: usize) -> Woven {
    let mut weave = Weave::new(&programs[0], longest);
    for pair in programs.windows(2) {
        weave.advance(&pair[0], &pair[1]);
    }
    weave.finish(programs.last().expect("there is one"))
}

/// Checks that each program is there as it was.
#[track_caller]
fn has_all(woven: &Woven, programs: &[SourceTree]) {
    for (number, program) in programs.iter().enumerate().skip(woven.first) {
        for file in &woven.files {
            let text = program.find(&file.path).map(|file| program.text(file));
            let found = woven.text(number, &file.path);
            assert_eq!(found, text.unwrap_or_default(), "{} of {number}", file.path);
        }
        let is_known = |path: &Utf8Path| woven.files.iter().any(|file| file.path == path);
        assert!(program.files().all(|(_, path, _)| is_known(path)));
    }
}

#[track_caller]
fn check(programs: &[SourceTree]) -> Woven {
    let woven = woven(programs, usize::MAX);
    has_all(&woven, programs);
    woven
}

/// Makes a source of numbers that look random.
fn random(seed: u64) -> impl FnMut(usize) -> usize {
    let mut seed = seed;
    move |below| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    }
}

/// Items in a row that become fewer, shorter and others, step by step, with one of them at last.
fn reduction(n_items: usize, n_steps: usize) -> Vec<SourceTree> {
    let mut random = random(7);
    let item = |number: usize| {
        format!(
            "fn function_{number}(argument: &str) -> usize {{\n    let value = argument.len() + {number};\n    value * 2\n}}\n"
        )
    };
    let mut items: Vec<String> = (0..n_items).map(item).collect();
    let mut programs = vec![single(&items.concat())];
    for step in 0..n_steps {
        let n_left = n_items * (n_steps - step - 1) / n_steps;
        while items.len() > n_left.max(1) {
            items.remove(random(items.len()));
        }
        // A rewrite in many places, and one in a single place.
        if step % 50 == 0 {
            let name = format!("argument{}", "_".repeat(step / 50 % 3));
            items = items
                .iter()
                .map(|one| one.replace("argument", &name))
                .collect();
        }
        let at = random(items.len());
        items[at] = items[at].replace("value * 2", &format!("value * 2 + {step}"));
        programs.push(single(&items.concat()));
    }
    programs
}

#[test]
fn a_part_has_the_programs_in_which_it_is_there() {
    let programs = ["a();\nb();\nc();\n", "a();\nc();\n", "a();\nx();\n"].map(single);
    let woven = check(&programs);
    let parts = woven.files[0].parts.iter();
    let parts = parts.map(|part| (part.came, part.went, part.text.as_str()));
    assert_eq!(
        parts.collect::<Vec<_>>(),
        [
            (0, None, "a();\n"),
            (0, Some(1), "b();\n"),
            (0, Some(2), "c"),
            (2, None, "x"),
            (0, None, "();\n"),
        ]
    );
}

#[test]
fn all_programs_of_a_reduction_are_there_as_they_were() {
    let programs = reduction(60, 50);
    let woven = check(&programs);
    assert_eq!(woven.first, 0);
}

#[test]
fn random_programs_are_there_as_they_were() {
    let words = ["fn ", "a", "(", ") ", "{", "}", "\n", "é", "x; "];
    let mut random = random(3);
    for _ in 0..200 {
        let text = |_| {
            (0..random(40))
                .map(|_| words[random(words.len())])
                .collect::<String>()
        };
        let programs: Vec<SourceTree> = (0..6).map(text).map(|text| single(&text)).collect();
        check(&programs);
    }
}

#[test]
fn files_come_go_and_come_again() {
    let programs = [
        tree(&[("lib.rs", "mod a;\n"), ("a.rs", "fn a() {}\n")]),
        tree(&[("lib.rs", "mod a {\nfn a() {}\n}\n")]),
        tree(&[
            ("lib.rs", "mod a;\n"),
            ("a.rs", "fn a() {}\nfn b() {}\n"),
            ("b.rs", ""),
        ]),
        tree(&[("lib.rs", "mod a;\n"), ("a.rs", "fn b() {}\n")]),
    ];
    let woven = check(&programs);
    assert_eq!(woven.files[0].path, "lib.rs", "the root comes first");
}

#[test]
fn a_long_text_that_goes_is_told_by_its_first_lines() {
    let long = "fn f() { é() }\n".repeat(1_000);
    let programs = [
        single(&format!("{long}fn g() {{}}\n")),
        single("fn g() {}\n"),
    ];
    let woven = woven(&programs, 100);
    let parts = &woven.files[0].parts;
    assert_eq!(parts[0].text, "fn f() { é() }\n".repeat(6));
    assert_eq!(
        (parts[0].left_out.lines, parts[0].left_out.bytes),
        (994, 994 * 16)
    );
    assert_eq!(woven.text(1, "lib.rs".into()), "fn g() {}\n");
}

#[test]
fn a_text_of_one_line_is_cut_between_characters() {
    let part = |text: &str| Part {
        came: 0,
        went: Some(1),
        text: text.to_owned(),
        left_out: LeftOut::default(),
    };
    let cut = part("aéé").shortened(2);
    assert_eq!((cut.text.as_str(), cut.left_out.bytes), ("a", 4));
    assert_eq!(part("aéé").shortened(5), part("aéé"));
    assert_eq!(
        part("a\nb\nc").shortened(3).left_out,
        LeftOut { bytes: 3, lines: 2 }
    );
}

#[test]
fn what_was_shortened_twice_has_lost_both() {
    let text = "fn f() {}\n".repeat(100);
    let part = Part {
        came: 0,
        went: Some(1),
        text,
        left_out: LeftOut::default(),
    };
    let twice = part.clone().shortened(500).shortened(100);
    assert_eq!(twice, part.shortened(100));
}

#[test]
fn the_oldest_programs_are_forgotten_where_there_is_too_much() {
    let programs = reduction(300, 100);
    let mut weave = Weave::new(&programs[0], usize::MAX);
    for pair in programs.windows(2) {
        weave.advance(&pair[0], &pair[1]);
        weave.keep_below(20_000);
        assert!(weave.n_bytes <= 20_000);
    }
    let woven = weave.finish(programs.last().expect("there is one"));
    assert!(woven.first > 0 && woven.first < 99, "{}", woven.first);
    has_all(&woven, &programs);
}

#[test]
fn a_bound_is_kept_by_shorter_texts_first_and_then_by_fewer_programs() {
    let blocks = (0..100).map(|number| format!("// {number}\n").repeat(100));
    let blocks = Vec::from_iter(blocks);
    let programs: Vec<_> = (0..100)
        .map(|gone| single(&blocks[gone..].concat()))
        .collect();
    let all = check(&programs);
    assert_eq!(all.clone().within(all.n_bytes()), all);
    let shorter = all.clone().within(60_000);
    assert_eq!(shorter.first, 0);
    assert!(shorter.n_bytes() <= 60_000 && shorter.n_bytes() > 20_000);
    let fewer = all.within(10_000);
    assert!(fewer.n_bytes() <= 10_000, "{}", fewer.n_bytes());
    assert!(fewer.first > 50 && fewer.first < 99, "{}", fewer.first);
}

#[test]
fn five_hundred_steps_of_a_large_program_need_less_than_a_page_has_room_for() {
    // 15,000 tokens and more, of which almost all go.
    let programs = reduction(600, 500);
    assert!(programs[0].count_tokens() > 15_000);
    let woven = check(&programs);
    assert!(woven.n_bytes() < 1_000_000, "{}", woven.n_bytes());
}
