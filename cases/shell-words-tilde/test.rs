///
/// # A longer example
///
/// A command that is run on another machine goes through a shell there, so each of its words is quoted
/// for that shell, and then the whole command for the shell here:
///
/// ```
/// struct Remote {
///     host: &'static str,
///     directory: Option<&'static str>,
/// }
///
/// impl Remote {
///     fn command(&self, words: &[&str]) -> String {
///         let mut there = shell_words::join(words);
///         if let Some(directory) = self.directory {
///             let change = shell_words::join(["cd", directory]);
///             there = format!("{} && {}", change, there);
///         }
///         shell_words::join(["ssh", self.host, "--", there.as_str()])
///     }
/// }
///
/// let remote = Remote {
///     host: "build@farm",
///     directory: Some("/srv/my builds"),
/// };
/// let plain = Remote {
///     directory: None,
///     ..remote
/// };
/// assert_eq!(plain.command(&["make"]), "ssh build@farm -- make");
/// assert_eq!(
///     plain.command(&["rm", "-r", "~/old"]),
///     r#"ssh build@farm -- 'rm -r '\''~/old'\'''"#,
/// );
///
/// let command = remote.command(&["make", "CFLAGS=-O2 -g", "all"]);
/// let here = shell_words::split(&command)?;
/// assert_eq!(here.len(), 4);
/// let there = shell_words::split(&here[3])?;
/// assert_eq!(there, ["cd", "/srv/my builds", "&&", "make", "CFLAGS=-O2 -g", "all"]);
/// # Ok::<(), shell_words::ParseError>(())
/// ```
