//! An editor for tests: it speaks JSON-RPC to a real process.

use serde_json::{json, Value};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{channel, Receiver};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Messages that came while another was awaited.
    kept: Vec<Value>,
    next: i64,
    versions: std::collections::BTreeMap<PathBuf, i64>,
}

pub fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

impl Client {
    pub fn start(folder: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_aldis"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        let mut client = Self { child, input, messages, kept: Vec::new(), next: 1, versions: Default::default() };
        let started = client.ask("initialize", json!({ "capabilities": {}, "rootUri": uri(folder) }));
        assert_eq!(started["result"]["capabilities"]["positionEncoding"], "utf-16");
        client.tell("initialized", json!({}));
        client
    }

    pub fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        input.flush().unwrap();
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request and gives its id.
    pub fn request(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next;
        self.next += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The whole answer to a request.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        self.answer(id)
    }

    pub fn answer(&mut self, id: i64) -> Value {
        self.wait(|message| message["id"] == id)
    }

    /// The first message that has come, or will come, of which `wanted` is true.
    fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(&wanted) {
            return self.kept.remove(at);
        }
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("the server should have answered");
            if wanted(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }

    /// The `result` of a request about a place; line and column count from 0, columns in units of UTF-16.
    pub fn at(&mut self, method: &str, path: &Path, (line, column): (u32, u32), more: Value) -> Value {
        let mut params = json!({
            "textDocument": { "uri": uri(path) }, "position": { "line": line, "character": column },
        });
        for (key, value) in more.as_object().unwrap() {
            params[key] = value.clone();
        }
        self.ask(&format!("textDocument/{method}"), params)
    }

    pub fn open(&mut self, path: &Path, text: &str) {
        self.versions.insert(path.to_owned(), 1);
        let document = json!({ "uri": uri(path), "languageId": "schema", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces a document's whole text, or a range of it.
    pub fn change(&mut self, path: &Path, range: Option<Value>, text: &str) -> i64 {
        let version = self.versions.get_mut(path).unwrap();
        *version += 1;
        let version = *version;
        let change = match range {
            Some(range) => json!({ "range": range, "text": text }),
            None => json!({ "text": text }),
        };
        let document = json!({ "uri": uri(path), "version": version });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
        version
    }

    /// The next diagnostics of the file; of the version that the document has now, where it is open.
    pub fn diagnostics(&mut self, path: &Path) -> Vec<Value> {
        let (uri, version) = (uri(path), self.versions.get(path).copied());
        let message = self.wait(|message| {
            let params = &message["params"];
            message["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == uri
                && version.is_none_or(|version| params["version"] == version)
        });
        message["params"]["diagnostics"].as_array().unwrap().clone()
    }

    /// Whether any diagnostics of the file have come and were not asked for.
    pub fn has_told_of(&self, path: &Path) -> bool {
        self.kept.iter().any(|message| message["params"]["uri"] == uri(path))
    }

    /// Goes without a goodbye; gives the server's exit code.
    pub fn exit(mut self) -> Option<i32> {
        self.tell("exit", Value::Null);
        self.child.wait().unwrap().code()
    }

    /// Says goodbye; the server must end well.
    pub fn stop(mut self) {
        let answer = self.ask("shutdown", Value::Null);
        assert!(answer["error"].is_null(), "{answer}");
        self.tell("exit", Value::Null);
        self.input = None;
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", text)) => length = text.parse().ok()?,
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
