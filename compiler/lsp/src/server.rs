//! The conversation with one editor, from its first message to its last.

use crate::formatting;
use crate::hover;
use crate::names::Named;
use crate::places::{offset, path_of, range_of};
use crate::problems::{by_file, Published};
use crate::queue::{Next, Queue};
use crate::session::{Refusal, Session};
use crate::setup::Setup;
use lsp_server::{Connection, ErrorCode, Message, Notification, ProtocolError, Request, Response};
use lsp_types::notification::{self as told, Notification as _};
use lsp_types::request::{self as asked, Request as _};
use lsp_types::{
    CodeActionOrCommand, CodeActionProviderCapability, CompletionOptions, CompletionResponse, DocumentSymbolResponse,
    GotoDefinitionResponse, Hover, HoverContents, HoverParams, HoverProviderCapability, InitializeParams,
    MarkupContent, MarkupKind, OneOf, PositionEncodingKind, RenameOptions, SaveOptions, ServerCapabilities,
    TextDocumentPositionParams, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, WorkDoneProgressOptions,
};
use serde::de::DeserializeOwned;
use serde::Serialize;
use serde_json::{json, Value};
use std::ops::ControlFlow;

/// Characters behind which editors ask for completions without being told to.
const TRIGGERS: [&str; 8] = ["<", "\"", "[", "(", ":", ".", "$", " "];

/// Speaks with the editor until it says that it is done, or is gone; `false` where it said `exit` before `shutdown`.
///
/// # Errors
/// A first message that is not `initialize`.
pub fn serve(connection: &Connection, setup: &Setup<'_>) -> Result<bool, ProtocolError> {
    let (id, params) = connection.initialize_start()?;
    let server = json!({ "name": "aldis", "version": setup.version });
    connection.initialize_finish(id, json!({ "capabilities": capabilities(), "serverInfo": server }))?;
    let session = Session::new(setup, folders(params));
    Ok(Server { connection, session, published: Published::default(), is_leaving: false }.run())
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
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(TRIGGERS.map(str::to_owned).to_vec()),
            ..CompletionOptions::default()
        }),
        document_symbol_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        ..ServerCapabilities::default()
    }
}

/// The paths of the folders that the editor works in.
#[allow(deprecated)]
fn folders(params: Value) -> Vec<String> {
    let Ok(params) = serde_json::from_value::<InitializeParams>(params) else { return Vec::new() };
    match params.workspace_folders {
        Some(folders) => folders.iter().map(|folder| path_of(&folder.uri)).collect(),
        None => params.root_uri.iter().map(path_of).collect(),
    }
}

struct Server<'a> {
    connection: &'a Connection,
    session: Session<'a>,
    published: Published,
    /// Whether the editor said `shutdown`.
    is_leaving: bool,
}

impl Server<'_> {
    fn run(&mut self) -> bool {
        let mut queue = Queue::new(self.connection);
        let mut is_current = true;
        loop {
            match queue.next(is_current) {
                Next::Message(Message::Request(request)) => {
                    self.answer(request);
                }
                Next::Message(Message::Notification(notification)) => {
                    if self.hear(notification).is_break() {
                        return self.is_leaving;
                    }
                    is_current = false;
                }
                Next::Message(Message::Response(_)) => {}
                // Only when nothing waits: what was typed meanwhile makes older texts uninteresting.
                Next::Idle => {
                    self.publish();
                    is_current = true;
                }
                Next::Closed => return true,
            }
        }
    }

    fn send(&self, message: impl Into<Message>) {
        // A client that is gone is noticed by the next message that does not come.
        let _ = self.connection.sender.send(message.into());
    }

    /// Takes in what the editor tells; breaks when that is the end.
    fn hear(&mut self, notification: Notification) -> ControlFlow<()> {
        let Notification { method, params } = notification;
        self.session.indexes.clear();
        match method.as_str() {
            told::DidOpenTextDocument::METHOD => {
                if let Some(opened) = read::<told::DidOpenTextDocument>(params) {
                    self.session.buffers.opened(opened.text_document);
                    self.session.analyses.forget();
                }
            }
            told::DidChangeTextDocument::METHOD => {
                if let Some(changed) = read::<told::DidChangeTextDocument>(params) {
                    let path = path_of(&changed.text_document.uri);
                    self.session.buffers.changed(&path, changed.text_document.version, changed.content_changes);
                    self.session.analyses.touched(&path);
                }
            }
            told::DidCloseTextDocument::METHOD => {
                if let Some(closed) = read::<told::DidCloseTextDocument>(params) {
                    self.session.buffers.open.remove(&path_of(&closed.text_document.uri));
                    self.session.analyses.forget();
                }
            }
            told::DidSaveTextDocument::METHOD | told::DidChangeWatchedFiles::METHOD => self.session.analyses.forget(),
            told::Exit::METHOD => return ControlFlow::Break(()),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// Tells the editor what has changed in the diagnostics.
    fn publish(&mut self) {
        self.session.refresh();
        let files = by_file(self.session.analyses.current.iter());
        for message in self.published.update(files, &self.session.buffers.open) {
            let method = told::PublishDiagnostics::METHOD.to_owned();
            self.send(Notification::new(method, message));
        }
    }

    fn answer(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let result = match method.as_str() {
            // From here on only `exit` comes.
            asked::Shutdown::METHOD => {
                self.is_leaving = true;
                Ok(Value::Null)
            }
            asked::Formatting::METHOD => reply::<asked::Formatting>(params, |params| Ok(self.format(&params))),
            asked::HoverRequest::METHOD => reply::<asked::HoverRequest>(params, |params| Ok(self.hover(&params))),
            asked::GotoDefinition::METHOD => reply::<asked::GotoDefinition>(params, |params| {
                let place = self.place(&params.text_document_position_params);
                Ok(place.and_then(|(path, at)| self.session.definition(&path, at)).map(GotoDefinitionResponse::Scalar))
            }),
            asked::References::METHOD => reply::<asked::References>(params, |params| {
                let named =
                    self.place(&params.text_document_position).and_then(|(path, at)| self.session.named(&path, at));
                Ok(named.map(|named| {
                    let places = self.session.references(&named, params.context.include_declaration);
                    self.session.locations(&places)
                }))
            }),
            asked::PrepareRenameRequest::METHOD => reply::<asked::PrepareRenameRequest>(params, |params| {
                let (path, at) = self.place(&params).ok_or_else(not_open)?;
                self.session.prepare_rename(&path, at).map(Some)
            }),
            asked::Rename::METHOD => reply::<asked::Rename>(params, |params| {
                let (path, at) = self.place(&params.text_document_position).ok_or_else(not_open)?;
                self.session.rename(&path, at, &params.new_name).map(Some)
            }),
            asked::Completion::METHOD => reply::<asked::Completion>(params, |params| {
                let TextDocumentPositionParams { text_document, position } = params.text_document_position;
                let items = self.session.complete(&path_of(&text_document.uri), position);
                Ok(items.map(CompletionResponse::Array))
            }),
            asked::DocumentSymbolRequest::METHOD => reply::<asked::DocumentSymbolRequest>(params, |params| {
                Ok(self.session.symbols(&path_of(&params.text_document.uri)).map(DocumentSymbolResponse::Nested))
            }),
            asked::CodeActionRequest::METHOD => reply::<asked::CodeActionRequest>(params, |params| {
                let actions = self.session.actions(&params).into_iter().map(CodeActionOrCommand::CodeAction);
                Ok(Some(actions.collect()))
            }),
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

    /// The path and the byte that a request is about; `None` where the document is not open.
    fn place(&self, params: &TextDocumentPositionParams) -> Option<(String, usize)> {
        let path = path_of(&params.text_document.uri);
        let at = offset(&self.session.buffers.open.get(&path)?.source, params.position);
        Some((path, at))
    }

    fn hover(&mut self, params: &HoverParams) -> Option<Hover> {
        let (path, at) = self.place(&params.text_document_position_params)?;
        self.session.refresh();
        let Named { index, id, span } = self.session.named(&path, at)?;
        let root = index.sources.iter().next().map_or(path.as_str(), |root| &root.path);
        let value = hover::text(&index, id, self.session.analyses.plan(root));
        let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
        Some(Hover { contents, range: Some(range_of(&index.sources, span)) })
    }

    fn format(&self, params: &lsp_types::DocumentFormattingParams) -> Option<Vec<lsp_types::TextEdit>> {
        let buffer = self.session.buffers.open.get(&path_of(&params.text_document.uri))?;
        formatting::edits(self.session.setup.format_of(&buffer.source.path)?, &buffer.source)
    }
}

fn not_open() -> Refusal {
    Refusal { code: ErrorCode::RequestFailed, text: "the document is not open".into() }
}

fn read<N: told::Notification>(params: Value) -> Option<N::Params>
where
    N::Params: DeserializeOwned,
{
    serde_json::from_value(params).ok()
}

/// The answer to a request of the type `R`, whose parameters are read first.
fn reply<R: asked::Request>(
    params: Value,
    answer: impl FnOnce(R::Params) -> Result<R::Result, Refusal>,
) -> Result<Value, Refusal>
where
    R::Params: DeserializeOwned,
    R::Result: Serialize,
{
    match serde_json::from_value(params) {
        Ok(params) => answer(params).map(|result| serde_json::to_value(result).unwrap_or(Value::Null)),
        Err(error) => Err(Refusal { code: ErrorCode::InvalidParams, text: error.to_string() }),
    }
}
