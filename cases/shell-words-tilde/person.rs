///
/// ```
/// assert_eq!(shell_words::join(["~"]), "'~'");
/// ```
