//! The page of terms shows what Phoenix's users write into files that they have. Its indented blocks are run here, in the project of the same
//! page, with stand-ins for the few words of Phoenix that they call.

use super::pages::{follow, shell};
use super::root;
use std::fs;

const PAGE: &str = "docs/book/terms.md";

/// The indented blocks of a page, without their indentation.
fn indented(page: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut fenced = false;
    let mut within = false;
    for line in page.lines() {
        fenced ^= line.starts_with("```");
        let code = line.strip_prefix("    ").filter(|_| !fenced);
        match (code, blocks.last_mut()) {
            (Some(code), Some(block)) if within => *block += &format!("\n{code}"),
            (Some(code), _) => blocks.push(code.to_owned()),
            (None, _) => {}
        }
        within = code.is_some();
    }
    blocks
}

/// The serializers that an endpoint names, each with what Phoenix calls of it.
const ENDPOINT: &str = "
defmodule Endpoint do
  @session_options [store: :cookie]
  def socket(path, _module, options), do: {path, options}

  def mounted do
    BLOCK
  end
end

{\"/live\", options} = Endpoint.mounted()

for {transport, settings} <- options, {module, versions} <- settings[:serializer], Version.match?(\"3.0.0\", versions) do
  Code.ensure_loaded!(module)
  true = Enum.all?([fastlane!: 1, encode!: 1, decode!: 2], fn {name, arity} -> function_exported?(module, name, arity) end)
  IO.puts(\"#{transport} #{inspect(module)}\")
end
";

/// A push of bytes, written by the serializer.
const PUSH: &str = "
defmodule Page.Live do
  def push_event(:socket, event, payload) do
    {:socket_push, :binary, frame} = Aldis.Phoenix.Serializer.fastlane!(%{topic: \"lv:1\", event: event, payload: payload})
    File.write!(\"pushed\", frame)
  end

  def push(socket, pcm) do
    BLOCK
  end
end

Page.Live.push(:socket, <<1, 0, 255, 255>>)
";

/// The page: its socket takes the options, and a hook gets what was pushed.
const APP: &str = "
import { readFileSync } from \"node:fs\";
const [Socket, csrfToken] = [class {}, \"token\"];
class LiveSocket {
  constructor(path, socket, options) {
    Object.assign(this, options);
  }
}
MOUNT
const hooks = {};
const hook = { handleEvent: (event, then) => { hooks[event] = then; } };
const play = (rate, samples) => console.log(liveSocket.vsn, liveSocket.params, rate, samples);
(function () {
  HOOK
}).call(hook);
liveSocket.decode(readFileSync(\"pushed\"), ({ event, payload }) => hooks[event](payload));
";

#[test]
fn words_for_phoenix_run_as_the_page_of_terms_shows_them() {
    let (folder, shows) = follow(PAGE);
    assert!(shows >= 4, "{shows}");
    let here = folder.0.join("here");
    let blocks = indented(&fs::read_to_string(root().join(PAGE)).unwrap());
    let [endpoint, mount, push, hook] = blocks.as_slice() else { panic!("{PAGE} has other blocks: {blocks:#?}") };
    let files = [
        ("endpoint.exs", ENDPOINT.replace("BLOCK", endpoint)),
        ("pushes.exs", PUSH.replace("BLOCK", push)),
        ("app.js", APP.replace("MOUNT", mount).replace("HOOK", hook)),
    ];
    for (name, text) in files {
        fs::write(here.join(name), text).unwrap();
    }
    for (command, said) in [
        ("mix run endpoint.exs", "websocket Aldis.Phoenix.Serializer\nlongpoll Aldis.Phoenix.LongPollSerializer\n"),
        ("mix run pushes.exs", ""),
        ("node app.js", "3.0.0 { _csrf_token: 'token' } 48000 Int16Array(2) [ 1, -1 ]\n"),
    ] {
        let (succeeded, output, errors) = shell(&here, command);
        assert!(succeeded, "{command}\n{output}{errors}");
        assert!(output.ends_with(said), "{command}\n{output}");
    }
}

#[test]
fn no_other_page_of_the_book_has_code_that_nothing_runs() {
    let folders = ["book", "book/start", "book/from", "book/formats"].map(|folder| root().join("docs").join(folder));
    for entry in folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()) {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") && !path.ends_with(PAGE) {
            let blocks = indented(&fs::read_to_string(&path).unwrap());
            assert!(blocks.is_empty(), "{}: {blocks:#?}", path.display());
        }
    }
}
