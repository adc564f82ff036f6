//! Chooses a failure where a request names none: the last of what fails with `--last`, or what a person says who is asked on
//! a terminal. Where nobody can answer, nobody is asked.

use super::interrupt::Interrupts;
use super::reduce::Waited;
use crate::args::{MessageFormat, ReduceArgs};
use crate::display::{Printable, talk};
use crate::error::CommandError;
use reduce_engine::Offer;
use reduce_platform::signals::Asked;
use std::io::IsTerminal;
use tokio::sync::oneshot;

/// Returns the last of the failures that are offered to the user, if `--last` chooses it.
pub(super) fn last(args: &ReduceArgs, waited: &Result<Waited, CommandError>) -> Option<Offer> {
    let offers = offers(waited).filter(|_| args.goal.last);
    offers.and_then(<[Offer]>::last).cloned()
}

/// Asks a person to choose one of the failures that were just shown; `None` where nobody is asked, or nothing is chosen.
///
/// # Errors
/// Where signals cannot be waited for.
pub(super) async fn asked(
    args: &ReduceArgs,
    waited: &Result<Waited, CommandError>,
) -> Result<Option<Offer>, CommandError> {
    let is_human = args.display.message_format == MessageFormat::Human;
    let is_there = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    let Some(offers) = offers(waited).filter(|_| is_human && is_there) else {
        return Ok(None);
    };
    loop {
        talk(&Printable::question(&question(offers.len())));
        let mut interrupts = Interrupts::new(Asked::All)?;
        let line = tokio::select! {
            line = line_of_user() => line,
            () = interrupts.next() => None,
        };
        match answer(line.as_deref().unwrap_or_default(), offers.len()) {
            Answer::Chosen(index) => return Ok(offers.get(index).cloned()),
            Answer::Nothing => return Ok(None),
            Answer::Unclear => {}
        }
    }
}

fn offers(waited: &Result<Waited, CommandError>) -> Option<&[Offer]> {
    let error = waited.as_ref().err()?;
    Some(&*error.offers).filter(|offers| !offers.is_empty())
}

fn question(number: usize) -> String {
    match number {
        1 => "Reduce it now? [y/N]".to_owned(),
        _ => format!("Which one shall be reduced, from 1 to {number} in this order? [none]"),
    }
}

/// The answer of a person to the question which failure to reduce.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Chosen(usize),
    Nothing,
    Unclear,
}

fn answer(line: &str, number: usize) -> Answer {
    let word = line.trim().to_ascii_lowercase();
    match word.parse::<usize>() {
        Ok(chosen) if (1..=number).contains(&chosen) => Answer::Chosen(chosen - 1),
        _ if matches!(word.as_str(), "y" | "yes") && number == 1 => Answer::Chosen(0),
        _ if matches!(word.as_str(), "" | "n" | "no" | "none" | "q") => Answer::Nothing,
        _ => Answer::Unclear,
    }
}

/// Waits for a line from standard input, and returns `None` at the end of the input. The line is read by a thread that
/// nobody waits for when the user leaves.
async fn line_of_user() -> Option<String> {
    let (send, receive) = oneshot::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        let read = std::io::stdin().read_line(&mut line);
        let _ = send.send(read.ok().filter(|length| *length > 0).map(|_| line));
    });
    receive.await.ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_a_number_in_the_list_or_none() {
        use Answer::{Chosen, Nothing, Unclear};
        let table = [
            ("2\n", 3, Chosen(1)),
            (" 1 ", 1, Chosen(0)),
            ("Y\n", 1, Chosen(0)),
            ("y", 2, Unclear),
            ("0", 3, Unclear),
            ("4", 3, Unclear),
            ("x", 3, Unclear),
            ("", 3, Nothing),
            ("no", 1, Nothing),
        ];
        for (line, number, expected) in table {
            assert_eq!(answer(line, number), expected, "{line:?} of {number}");
        }
    }
}
