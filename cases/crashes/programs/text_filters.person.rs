fn preset(word: bool) {
    match word {
        true => Box::new(()),
        _ => Box::new(0),
    };
}
