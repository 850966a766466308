//! Messages that have arrived and wait: which of them are still worth an answer.

use crate::places::path_of;
use lsp_server::{Connection, ErrorCode, Message, Notification, RequestId, Response};
use lsp_types::{CancelParams, NumberOrString, Uri};
use std::collections::VecDeque;
use std::sync::mpsc::{channel, Receiver};

/// The messages that came in, oldest first.
pub(crate) struct Queue<'a> {
    connection: &'a Connection,
    /// All that has come. The connection itself holds one message, so whoever asks it does not see what waits behind.
    arrived: Receiver<Message>,
    waiting: VecDeque<Message>,
    closed: bool,
}

/// The outcome of asking for a message.
pub(crate) enum Next {
    Message(Message),
    /// Nothing waits.
    Idle,
    /// The client is gone.
    Closed,
}

impl<'a> Queue<'a> {
    /// Takes over what comes in.
    pub(crate) fn new(connection: &'a Connection) -> Self {
        let (sender, arrived) = channel();
        let incoming = connection.receiver.clone();
        std::thread::spawn(move || incoming.iter().try_for_each(|message| sender.send(message)));
        Self { connection, arrived, waiting: VecDeque::new(), closed: false }
    }

    /// The next message that is to be handled; requests that were cancelled, or whose document has changed since, are
    /// answered on the way. Waits for one if `wait`.
    pub(crate) fn next(&mut self, wait: bool) -> Next {
        if self.waiting.is_empty() && wait && !self.closed {
            match self.arrived.recv() {
                Ok(message) => self.waiting.push_back(message),
                Err(_) => self.closed = true,
            }
        }
        while let Ok(message) = self.arrived.try_recv() {
            match message {
                Message::Notification(cancel) if cancel.method == "$/cancelRequest" => self.cancel(cancel),
                other => self.waiting.push_back(other),
            }
        }
        loop {
            match self.waiting.pop_front() {
                Some(Message::Request(request)) if self.is_outdated(&request.params) => {
                    let text = "the document has changed since the request".to_owned();
                    let response = Response::new_err(request.id, ErrorCode::ContentModified as i32, text);
                    let _ = self.connection.sender.send(response.into());
                }
                Some(message) => return Next::Message(message),
                None if self.closed => return Next::Closed,
                None => return Next::Idle,
            }
        }
    }

    fn cancel(&mut self, cancel: Notification) {
        let Ok(CancelParams { id }) = serde_json::from_value(cancel.params) else { return };
        let id: RequestId = match id {
            NumberOrString::Number(number) => number.into(),
            NumberOrString::String(text) => text.into(),
        };
        let before = self.waiting.len();
        self.waiting.retain(|message| !matches!(message, Message::Request(request) if request.id == id));
        if self.waiting.len() < before {
            let text = "cancelled by the client".to_owned();
            let response = Response::new_err(id, ErrorCode::RequestCanceled as i32, text);
            let _ = self.connection.sender.send(response.into());
        }
    }

    /// Whether a change of the document that the request is about waits behind it.
    fn is_outdated(&self, params: &serde_json::Value) -> bool {
        let Some(path) = document(params) else { return false };
        self.waiting.iter().any(|message| match message {
            Message::Notification(change) if change.method == "textDocument/didChange" => {
                document(&change.params).is_some_and(|changed| changed == path)
            }
            _ => false,
        })
    }
}

/// The path of the document in the parameters.
fn document(params: &serde_json::Value) -> Option<String> {
    let uri: Uri = params["textDocument"]["uri"].as_str()?.parse().ok()?;
    Some(path_of(&uri))
}
