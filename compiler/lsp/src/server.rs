//! The conversation with one editor, from its first message to its last.

use crate::analyses::{format_of, Analyses};
use crate::buffers::Buffers;
use crate::formatting;
use crate::places::path_of;
use crate::problems::{by_file, Published};
use crate::queue::{Next, Queue};
use crate::Workspace;
use aldis_lint::Keywords;
use aldis_plan::Format;
use lsp_server::{Connection, ErrorCode, Message, Notification, ProtocolError, Request, Response};
use lsp_types::notification::{self as told, Notification as _};
use lsp_types::request::{self as asked, Request as _};
use lsp_types::{
    OneOf, PositionEncodingKind, SaveOptions, ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
};
use serde::de::DeserializeOwned;
use serde::Serialize;
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// The parts that a server stands on.
pub struct Setup<'a> {
    pub formats: &'a [&'static dyn Format],
    pub keywords: &'a [Keywords<'a>],
    pub workspace: &'a dyn Workspace,
    /// The version of the command, which editors show.
    pub version: &'a str,
}

/// Speaks with the editor until it says that it is done, or is gone.
///
/// # Errors
/// A first message that is not `initialize`.
pub fn serve(connection: &Connection, setup: &Setup<'_>) -> Result<(), ProtocolError> {
    let (id, _) = connection.initialize_start()?;
    let server = json!({ "name": "aldis", "version": setup.version });
    connection.initialize_finish(id, json!({ "capabilities": capabilities(), "serverInfo": server }))?;
    let mut server = Server {
        connection,
        setup,
        buffers: Buffers { workspace: setup.workspace, open: BTreeMap::new() },
        analyses: Analyses::default(),
        published: Published::default(),
    };
    server.run();
    Ok(())
}

fn capabilities() -> ServerCapabilities {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
        ..TextDocumentSyncOptions::default()
    };
    ServerCapabilities {
        position_encoding: Some(PositionEncodingKind::UTF16),
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        document_formatting_provider: Some(OneOf::Left(true)),
        ..ServerCapabilities::default()
    }
}

pub(crate) struct Server<'a> {
    connection: &'a Connection,
    pub(crate) setup: &'a Setup<'a>,
    pub(crate) buffers: Buffers<'a>,
    pub(crate) analyses: Analyses,
    published: Published,
}

impl Server<'_> {
    fn run(&mut self) {
        let mut queue = Queue::new(self.connection);
        let mut is_current = true;
        loop {
            match queue.next(is_current) {
                Next::Message(Message::Request(request)) => {
                    self.answer(request);
                }
                Next::Message(Message::Notification(notification)) => {
                    if self.hear(notification).is_break() {
                        return;
                    }
                    is_current = false;
                }
                Next::Message(Message::Response(_)) => {}
                // Only when nothing waits: what was typed meanwhile makes older texts uninteresting.
                Next::Idle => {
                    self.publish();
                    is_current = true;
                }
                Next::Closed => return,
            }
        }
    }

    fn send(&self, message: impl Into<Message>) {
        // A client that is gone is noticed by the next message that does not come.
        let _ = self.connection.sender.send(message.into());
    }

    /// Takes in what the editor tells; breaks when it ends without a farewell.
    fn hear(&mut self, notification: Notification) -> ControlFlow<()> {
        let Notification { method, params } = notification;
        match method.as_str() {
            told::DidOpenTextDocument::METHOD => {
                if let Some(opened) = read::<told::DidOpenTextDocument>(params) {
                    self.buffers.opened(opened.text_document);
                    self.analyses.forget();
                }
            }
            told::DidChangeTextDocument::METHOD => {
                if let Some(changed) = read::<told::DidChangeTextDocument>(params) {
                    let path = path_of(&changed.text_document.uri);
                    self.buffers.changed(&path, changed.text_document.version, changed.content_changes);
                    self.analyses.touched(&path);
                }
            }
            told::DidCloseTextDocument::METHOD => {
                if let Some(closed) = read::<told::DidCloseTextDocument>(params) {
                    self.buffers.open.remove(&path_of(&closed.text_document.uri));
                    self.analyses.forget();
                }
            }
            told::DidSaveTextDocument::METHOD | told::DidChangeWatchedFiles::METHOD => self.analyses.forget(),
            told::Exit::METHOD => return ControlFlow::Break(()),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    pub(crate) fn refresh(&mut self) {
        self.analyses.refresh(self.setup.formats, self.setup.keywords, &self.buffers);
    }

    /// Tells the editor what has changed in the diagnostics.
    fn publish(&mut self) {
        self.refresh();
        let files = by_file(self.analyses.current.iter());
        for message in self.published.update(files, &self.buffers.open) {
            let method = told::PublishDiagnostics::METHOD.to_owned();
            self.send(Notification::new(method, message));
        }
    }

    fn answer(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let result = match method.as_str() {
            // From here on only `exit` comes.
            asked::Shutdown::METHOD => Ok(Value::Null),
            asked::Formatting::METHOD => reply::<asked::Formatting>(params, |params| self.format(&params)),
            _ => {
                let text = format!("there is no method `{method}` here");
                return self.send(Response::new_err(id, ErrorCode::MethodNotFound as i32, text));
            }
        };
        self.send(match result {
            Ok(value) => Response::new_ok(id, value),
            Err(Refusal { code, text }) => Response::new_err(id, code as i32, text),
        });
    }

    fn format(&self, params: &lsp_types::DocumentFormattingParams) -> Option<Vec<lsp_types::TextEdit>> {
        let buffer = self.buffers.open.get(&path_of(&params.text_document.uri))?;
        formatting::edits(format_of(self.setup.formats, &buffer.source.path)?, &buffer.source)
    }
}

/// An answer that is an error.
pub(crate) struct Refusal {
    pub(crate) code: ErrorCode,
    pub(crate) text: String,
}

fn read<N: told::Notification>(params: Value) -> Option<N::Params>
where
    N::Params: DeserializeOwned,
{
    serde_json::from_value(params).ok()
}

/// The answer to a request of the type `R`, whose parameters are read first.
fn reply<R: asked::Request>(params: Value, answer: impl FnOnce(R::Params) -> R::Result) -> Result<Value, Refusal>
where
    R::Params: DeserializeOwned,
    R::Result: Serialize,
{
    match serde_json::from_value(params) {
        Ok(params) => Ok(serde_json::to_value(answer(params)).unwrap_or(Value::Null)),
        Err(error) => Err(Refusal { code: ErrorCode::InvalidParams, text: error.to_string() }),
    }
}
