//! Runs programs and reads what they print, for no longer than a given time.

use anyhow::{Context, Result, bail};
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// What the command prints to its standard output. Its exit status does not matter: a compiler may print
/// all that is asked for and fail at something else.
pub fn output(mut command: Command, longest: Duration) -> Result<Vec<u8>> {
    let streams = command.stdin(Stdio::null()).stderr(Stdio::null());
    let mut child = streams.stdout(Stdio::piped()).process_group(0).spawn()?;
    let mut stdout = child.stdout.take().context("standard output is piped")?;
    let (send, receive) = mpsc::channel();
    let reading = std::thread::spawn(move || {
        let mut output = Vec::new();
        let result = stdout.read_to_end(&mut output).map(|_| output);
        send.send(result).ok();
    });
    let Ok(output) = receive.recv_timeout(longest) else {
        end_group(child.id());
        child.wait()?;
        bail!("`{:?}` takes too long", command.get_program());
    };
    child.wait()?;
    reading.join().ok();
    Ok(output?)
}

fn end_group(leader: u32) {
    let group = i32::try_from(leader).ok();
    if let Some(group) = group.and_then(rustix::process::Pid::from_raw) {
        rustix::process::kill_process_group(group, rustix::process::Signal::KILL).ok();
    }
}
