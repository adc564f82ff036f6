#[cfg(test)]
mod suggestions {
    use super::{jaro_winkler, levenshtein, osa_distance};

    #[derive(Debug, Clone, PartialEq)]
    struct Suggestion<'a> {
        command: &'a str,
        distance: usize,
    }

    const COMMANDS: [&str; 9] = [
        "add", "branch", "checkout", "clone", "commit", "fetch", "merge", "rebase", "status",
    ];

    /// The commands that may have been meant, the nearest first.
    fn suggestions<'a>(
        typed: &str,
        commands: &[&'a str],
        distance: fn(&str, &str) -> usize,
    ) -> Vec<Suggestion<'a>> {
        let longest = (typed.chars().count() / 3).max(1);
        let mut near: Vec<_> = commands
            .iter()
            .map(|command| Suggestion {
                command,
                distance: distance(typed, command),
            })
            .filter(|suggestion| suggestion.distance <= longest)
            .collect();
        near.sort_by_key(|suggestion| (suggestion.distance, suggestion.command));
        near
    }

    fn named<'a>(typed: &str, distance: fn(&str, &str) -> usize) -> Vec<&'a str> {
        let near = suggestions(typed, &COMMANDS, distance);
        near.into_iter()
            .map(|suggestion| suggestion.command)
            .collect()
    }

    #[test]
    fn a_missing_letter_is_one_edit() {
        assert_eq!(named("comit", levenshtein), ["commit"]);
        assert_eq!(named("stats", levenshtein), ["status"]);
        assert_eq!(named("xyzzy", levenshtein), [""; 0]);
    }

    #[test]
    fn a_similar_beginning_counts_more() {
        let similar = |typed: &str| {
            let mut commands = COMMANDS.to_vec();
            commands.sort_by(|a, b| jaro_winkler(b, typed).total_cmp(&jaro_winkler(a, typed)));
            commands[0]
        };
        assert_eq!(similar("check"), "checkout");
        assert_eq!(similar("reb"), "rebase");
    }

    #[test]
    fn a_transposed_command_is_suggested() {
        assert_eq!(named("commit", osa_distance), ["commit"]);
        assert_eq!(named("mrege", levenshtein), [""; 0]);
        let near = suggestions("mrege", &COMMANDS, osa_distance);
        let merge = Suggestion {
            command: "merge",
            distance: 1,
        };
        assert_eq!(near, [merge]);
        assert_eq!(named("fecth", osa_distance), ["fetch"]);
    }
}
