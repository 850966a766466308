//! A running testee.

use super::{interrupt, Answer};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

/// How long a testee may take to answer a request.
const PATIENCE: Duration = Duration::from_secs(60);

/// The process with a thread for each of its pipes, so that neither side waits for the other to read.
pub struct Process {
    child: Child,
    /// `None` once the testee has been told that there is no more.
    requests: Option<Sender<Vec<u8>>>,
    answers: Receiver<String>,
}

impl Process {
    /// Runs `folder/build`.
    ///
    /// # Errors
    /// With the first of what it printed, when it fails.
    pub fn build(folder: &Path) -> io::Result<()> {
        let mut command = Command::new(folder.join("build"));
        command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = interrupt::start(&mut command)?;
        let number = child.id();
        let done = child.wait_with_output();
        interrupt::forget(number);
        let done = done?;
        if done.status.success() {
            return Ok(());
        }
        let said = [done.stdout, done.stderr].concat();
        let said = first_lines(&String::from_utf8_lossy(&said));
        Err(io::Error::other(format!("build failed ({}):\n{said}", done.status)))
    }

    /// Starts `folder/run`, with a variable where one is given.
    pub fn start(folder: &Path, variable: Option<(&str, &str)>) -> io::Result<Self> {
        let mut command = Command::new(folder.join("run"));
        command.envs(variable).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = interrupt::start(&mut command)?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (Some(mut stdin), Some(stdout)) = (stdin, stdout) else {
            return Err(io::Error::other("the testee has no pipes"));
        };
        let (requests, waiting) = channel::<Vec<u8>>();
        thread::spawn(move || {
            // A testee that is gone is noticed where its answers are missed.
            while waiting.recv().is_ok_and(|bytes| stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_ok()) {}
        });
        let (sender, answers) = channel();
        thread::spawn(move || {
            let mut lines = BufReader::new(stdout);
            let mut line = Vec::new();
            while lines.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                let text = String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(&line)).into_owned();
                if sender.send(text).is_err() {
                    break;
                }
                line.clear();
            }
        });
        Ok(Self { child, requests: Some(requests), answers })
    }

    /// Asks all of `requests` at once and waits for all answers.
    ///
    /// # Errors
    /// When an answer does not come.
    pub fn ask(&mut self, requests: &[&str]) -> io::Result<Vec<Answer>> {
        let text: String = requests.iter().enumerate().map(|(id, request)| format!("{id}\t{request}\n")).collect();
        if let Some(sender) = &self.requests {
            // As above: the missing answer tells.
            let _ = sender.send(text.into_bytes());
        }
        let mut answers = Vec::with_capacity(requests.len());
        for (id, request) in requests.iter().enumerate() {
            let line = self.answers.recv_timeout(PATIENCE).map_err(|_| {
                io::Error::other(format!("no answer (it died, or took more than {PATIENCE:?}) to: {request}"))
            })?;
            let answer = match line.split('\t').next() {
                Some(found) if found == id.to_string() => Answer::parse(&line),
                _ => Answer::Garbled(format!("the id is not {id}: {line}")),
            };
            answers.push(answer);
        }
        Ok(answers)
    }

    /// Ends the input and waits for the testee to end, which it must do by itself and with exit code 0.
    ///
    /// # Errors
    /// When it does not.
    pub fn finish(mut self) -> io::Result<()> {
        self.requests = None;
        match self.answers.recv_timeout(PATIENCE) {
            Ok(line) => return Err(io::Error::other(format!("an answer that nobody asked for: {line}"))),
            Err(RecvTimeoutError::Timeout) => return Err(io::Error::other("it does not end when its input does")),
            Err(RecvTimeoutError::Disconnected) => {}
        }
        let status = self.child.wait()?;
        interrupt::forget(self.child.id());
        if status.success() {
            Ok(())
        } else {
            Err(io::Error::other(format!("at the end of its input: {status}")))
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        interrupt::end(&mut self.child);
    }
}

/// The first lines of a compiler: one mistake in a template may make it print thousands of lines.
fn first_lines(said: &str) -> String {
    const MOST: usize = 30;
    let more = said.lines().count().saturating_sub(MOST);
    if more == 0 {
        return said.to_owned();
    }
    let first: Vec<&str> = said.lines().take(MOST).collect();
    format!("{}\n… and {more} more lines: `--keep DIR` keeps the testee, whose `build` prints them", first.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_of_what_a_compiler_says_is_shown() {
        assert_eq!(first_lines("one\ntwo\n"), "one\ntwo\n");
        let lines: Vec<String> = (1..=1000).map(|number| format!("line {number}")).collect();
        let shown = first_lines(&lines.join("\n"));
        assert!(shown.starts_with("line 1\n") && shown.contains("\nline 30\n…"), "{shown}");
        assert!(shown.contains("… and 970 more lines: `--keep DIR` keeps the testee"), "{shown}");
    }
}
