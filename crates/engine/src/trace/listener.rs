//! The listener to the log of what a thread does.

use std::cell::RefCell;

type Listener = Box<dyn FnMut(&str)>;

thread_local! {
    static LISTENER: RefCell<Option<Listener>> = const { RefCell::new(None) };
}

/// Restores the earlier listener when it is dropped, also after a panic.
struct Before(Option<Listener>);

impl Drop for Before {
    fn drop(&mut self) {
        LISTENER.set(self.0.take());
    }
}

/// Does some work, and has a listener hear each line about the candidates that are decided in this thread meanwhile.
pub fn traced<T>(listener: impl FnMut(&str) + 'static, work: impl FnOnce() -> T) -> T {
    let _before = Before(LISTENER.replace(Some(Box::new(listener))));
    work()
}

/// Whether somebody listens.
pub(crate) fn is_on() -> bool {
    LISTENER.with_borrow(Option::is_some)
}

/// Sends a line to the listener; the line is made only if there is one.
pub(super) fn tell(line: impl FnOnce() -> String) {
    if is_on() {
        let line = line();
        LISTENER.with_borrow_mut(|listener| {
            if let Some(listener) = listener {
                listener(&line);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn a_listener_hears_what_is_told_as_long_as_the_work_goes_on() {
        let (heard, lines) = mpsc::channel();
        tell(|| panic!("nobody listens"));
        let listener = move |line: &str| heard.send(line.to_owned()).unwrap();
        traced(listener, || {
            tell(|| "one".to_owned());
            traced(|_| {}, || tell(|| "of others".to_owned()));
            tell(|| "two".to_owned());
        });
        assert!(!is_on());
        assert_eq!(lines.iter().collect::<Vec<String>>(), ["one", "two"]);
    }
}
