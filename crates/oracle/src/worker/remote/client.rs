//! Speaks to the client of the Remote Execution API, a program of its own, `cargo-reduce-remote`, which is started
//! for a job and ends with it.
//!
//! Whoever asks is a thread that waits for its reply, or until nobody waits for it any more. If the client has ended, nobody
//! gets a reply, and each question is told how it has ended.

use crate::system::process::{Dialogue, Listen};
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::Cancel;
use reduce_platform::cancel::wait_for_either;
use reduce_remote_protocol::{
    Answer, Command, Counts, Ended, ErrorKind, Hello, NoAnswer, PROGRAM, Reply, Request, Settings,
    line_of,
};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The time within which the client must have said what it is.
const GREETS_WITHIN: Duration = Duration::from_secs(20);

/// The reason for which the client of the Remote Execution API cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The program of the client is not there, or cannot be started.
    #[error("failed to start `{path}`")]
    Start {
        /// The path of the client's program.
        path: Utf8PathBuf,
        /// The system's reason why the program cannot be started.
        #[source]
        source: std::io::Error,
    },
    /// The program of the client belongs to another version of cargo-reduce.
    #[error("`{path}` is of version {theirs}, and this is cargo-reduce {own}")]
    OtherVersion {
        /// The path of the client's program.
        path: Utf8PathBuf,
        /// The version of the client's program.
        theirs: String,
        /// The version of this cargo-reduce.
        own: String,
    },
    /// The program does not say that it is a client.
    #[error("`{path}` does not answer as `{PROGRAM}` does: {said}")]
    NotAClient {
        /// The path of the client's program.
        path: Utf8PathBuf,
        /// The output of the program, or the way it ended.
        said: String,
    },
    /// The start of the client was cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// A running client of the Remote Execution API.
#[derive(Debug)]
pub(super) struct Client {
    dialogue: Dialogue,
    heard: Arc<Heard>,
}

/// Everything that was heard of a client.
#[derive(Debug)]
struct Heard {
    path: Utf8PathBuf,
    /// The signal that the first line of the client has come, or that none will come.
    greeted: Cancel,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    greeting: Option<String>,
    /// The way the client has ended, once it has.
    end: Option<String>,
    questions: HashMap<u64, Question>,
    last: u64,
    counts: Counts,
}

#[derive(Debug)]
struct Question {
    /// The signal that there is an answer to the question, or that there will be none.
    answered: Cancel,
    answer: Option<Result<Answer, NoAnswer>>,
}

impl Client {
    /// Starts the client, and waits until it has said that it belongs to this version of cargo-reduce.
    ///
    /// # Errors
    /// Where it is not, or cannot be started.
    pub(super) fn start(path: &Utf8Path, cancel: &Cancel) -> Result<Self, ClientError> {
        let failed = |source| ClientError::Start {
            path: path.to_owned(),
            source,
        };
        let heard = Arc::new(Heard {
            path: path.to_owned(),
            greeted: Cancel::new().map_err(failed)?,
            state: Mutex::default(),
        });
        let listener = Arc::<Heard>::clone(&heard);
        let dialogue = Dialogue::start(path, listener).map_err(failed)?;
        heard.wait_for_greeting(cancel)?;
        Ok(Self { dialogue, heard })
    }

    /// Tells the client which server to use, and asks whether the server is there and can run commands.
    ///
    /// # Errors
    /// Where it is not or cannot.
    pub(super) fn open(&self, settings: &Settings, cancel: &Cancel) -> Result<(), NoAnswer> {
        let settings = settings.clone();
        self.ask(cancel, |id| Request::Open { id, settings })
            .map(|_| ())
    }

    /// Runs a command on the server, or takes the result of it that is known already. It is cancelled when nobody
    /// waits any more.
    ///
    /// # Errors
    /// Where there is no answer. Nothing is known of the command then.
    pub(super) fn run(&self, command: Command, cancel: &Cancel) -> Result<Ended, NoAnswer> {
        let command = Box::new(command);
        match self.ask(cancel, |id| Request::Run { id, command })? {
            Answer::Ended(ended) => Ok(ended),
            Answer::There => Err(NoAnswer {
                kind: ErrorKind::Refused,
                reason: format!("`{}` answers another question", self.heard.path),
            }),
        }
    }

    /// Returns the counts of all questions to the server until now.
    pub(super) fn counts(&self) -> Counts {
        self.heard.state().counts
    }

    fn ask(
        &self,
        cancel: &Cancel,
        request: impl FnOnce(u64) -> Request,
    ) -> Result<Answer, NoAnswer> {
        let answered = Cancel::new().map_err(|error| NoAnswer {
            kind: ErrorKind::Command,
            reason: format!("failed to wait for an answer: {error}"),
        })?;
        let id = {
            let mut state = self.heard.state();
            if let Some(how) = &state.end {
                return Err(self.heard.gone(how));
            }
            state.last += 1;
            let question = Question {
                answered: answered.clone(),
                answer: None,
            };
            let id = state.last;
            state.questions.insert(id, question);
            id
        };
        self.dialogue.say(line_of(&request(id)));
        wait_for_either(cancel, &answered, None);
        let mut state = self.heard.state();
        let answer = state.questions.remove(&id);
        match (answer.and_then(|question| question.answer), &state.end) {
            (Some(answer), _) => answer,
            (None, Some(how)) => Err(self.heard.gone(how)),
            (None, None) => {
                self.dialogue.say(line_of(&Request::Cancel { id }));
                Err(NoAnswer {
                    kind: ErrorKind::Cancelled,
                    reason: "cancelled".to_owned(),
                })
            }
        }
    }
}

impl Heard {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn gone(&self, how: &str) -> NoAnswer {
        NoAnswer {
            kind: ErrorKind::Refused,
            reason: format!("`{}` has ended: {how}", self.path),
        }
    }

    fn wait_for_greeting(&self, cancel: &Cancel) -> Result<(), ClientError> {
        wait_for_either(&self.greeted, cancel, Some(GREETS_WITHIN));
        if !self.greeted.is_cancelled() {
            return Err(match cancel.is_cancelled() {
                true => ClientError::Cancelled,
                false => self.no_client("it says nothing"),
            });
        }
        let state = self.state();
        let Some(line) = &state.greeting else {
            let how = state.end.as_deref().unwrap_or("it says nothing");
            return Err(self.no_client(&format!("it has ended ({how})")));
        };
        let own = Hello::own();
        match serde_json::from_str::<Hello>(line) {
            Ok(hello) if hello == own => Ok(()),
            Ok(hello) => Err(ClientError::OtherVersion {
                path: self.path.clone(),
                theirs: in_words(&hello),
                own: in_words(&own),
            }),
            Err(_) => Err(self.no_client(&format!("it says `{line}`"))),
        }
    }

    fn no_client(&self, said: &str) -> ClientError {
        ClientError::NotAClient {
            path: self.path.clone(),
            said: said.to_owned(),
        }
    }
}

fn in_words(hello: &Hello) -> String {
    format!("{} (protocol {})", hello.version, hello.protocol)
}

impl Listen for Heard {
    fn hear(&self, line: &str) {
        let mut state = self.state();
        if state.greeting.is_none() {
            state.greeting = Some(line.to_owned());
            self.greeted.cancel();
            return;
        }
        // What is no reply answers nothing.
        let Ok(reply) = serde_json::from_str::<Reply>(line) else {
            return;
        };
        state.counts = reply.counts;
        if let Some(question) = state.questions.get_mut(&reply.id) {
            question.answer = Some(reply.answer);
            question.answered.cancel();
        }
    }

    fn hear_the_end(&self, how: &str) {
        let mut state = self.state();
        state.end = Some(how.to_owned());
        self.greeted.cancel();
        for question in state.questions.values() {
            question.answered.cancel();
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use reduce_remote_protocol::PROTOCOL_VERSION;

    /// A client that is a script of the shell: it greets, and goes on with these lines.
    struct Script {
        _guard: tempfile::TempDir,
        path: Utf8PathBuf,
    }

    impl Script {
        fn new(lines: &str) -> Self {
            let guard = tempfile::tempdir().unwrap();
            let path = guard.path().join(PROGRAM);
            std::fs::write(&path, format!("#!/bin/sh\n{lines}\n")).unwrap();
            let file = std::fs::File::open(&path).unwrap();
            reduce_platform::files::make_executable(&file).unwrap();
            Self {
                _guard: guard,
                path: path.try_into().unwrap(),
            }
        }

        fn that_greets(lines: &str) -> Self {
            let hello = line_of(&Hello::own());
            Self::new(&format!("echo '{}'\n{lines}", hello.trim()))
        }

        fn start(&self) -> Result<Client, ClientError> {
            Client::start(&self.path, &Cancel::new().unwrap())
        }
    }

    fn settings() -> Settings {
        Settings {
            address: "grpc://localhost:1".parse().unwrap(),
            headers: vec![],
            certificates: None,
            platform: vec![],
        }
    }

    fn open(client: &Client) -> Result<(), NoAnswer> {
        client.open(&settings(), &Cancel::new().unwrap())
    }

    #[test]
    fn a_reply_is_that_to_its_own_question() {
        let reply = |id, answer| {
            let counts = Counts {
                retries: id,
                ..Counts::default()
            };
            line_of(&Reply { id, counts, answer }).trim().to_owned()
        };
        let refused = NoAnswer {
            kind: ErrorKind::Refused,
            reason: "no".to_owned(),
        };
        let other = reply(7, Err(refused.clone()));
        let (first, second) = (reply(1, Ok(Answer::There)), reply(2, Err(refused.clone())));
        let lines =
            format!("read a; echo '{other}'; echo '{first}'; read a; echo '{second}'; read a");
        let client = Script::that_greets(&lines).start().unwrap();
        assert_eq!(open(&client), Ok(()));
        assert_eq!(open(&client), Err(refused));
        assert_eq!(client.counts().retries, 2);
    }

    #[test]
    fn a_client_that_dies_is_named_with_its_last_words() {
        let client = Script::that_greets("read a; echo 'out of luck' >&2; kill -9 $$").start();
        let client = client.unwrap();
        for _ in 0..2 {
            let error = open(&client).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Refused);
            let said = ["cargo-reduce-remote` has ended", "9", "out of luck"];
            assert!(
                said.iter().all(|part| error.reason.contains(part)),
                "{error}"
            );
        }
    }

    #[test]
    fn a_question_that_nobody_waits_for_ends_though_the_client_says_and_reads_nothing() {
        let client = Script::that_greets("exec sleep 1000").start().unwrap();
        let cancel = Cancel::new().unwrap();
        std::thread::scope(|scope| {
            let asked = scope.spawn(|| client.open(&settings(), &cancel));
            cancel.cancel();
            assert_eq!(
                asked.join().unwrap().unwrap_err().kind,
                ErrorKind::Cancelled
            );
        });
    }

    #[test]
    fn a_client_of_another_version_is_refused() {
        let other = Hello {
            protocol: PROTOCOL_VERSION + 1,
            version: "9.8.7".to_owned(),
        };
        let script = Script::new(&format!("echo '{}'; read a", line_of(&other).trim()));
        let error = script.start().unwrap_err();
        assert!(matches!(error, ClientError::OtherVersion { .. }), "{error}");
        assert!(error.to_string().contains("9.8.7 (protocol 2)"), "{error}");
    }

    #[test]
    fn a_program_that_is_no_client_is_refused() {
        for (lines, said) in [
            (
                "echo usage: something; read a",
                "it says `usage: something`",
            ),
            ("echo missing >&2; exit 3", "exit status: 3"),
        ] {
            let error = Script::new(lines).start().unwrap_err();
            assert!(matches!(error, ClientError::NotAClient { .. }), "{error}");
            assert!(error.to_string().contains(said), "{error}");
        }
        let missing = Client::start("/no/such/client".into(), &Cancel::new().unwrap());
        assert!(matches!(missing, Err(ClientError::Start { .. })));
    }
}
