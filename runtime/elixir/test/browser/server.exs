# Serves the page, the clients' scripts and the channels until its standard input ends.
here = __DIR__
etf = Path.expand("../../../javascript/etf/src", here)

scripts =
  for file <- Path.wildcard(Path.join(etf, "*.js")), do: {"/etf/" <> Path.basename(file), file}

files = [
  {"/", Path.join(here, "page.html")},
  {"/page.js", Path.join(here, "page.js")},
  {"/live", Path.join(here, "live.html")},
  {"/features", Path.join(here, "live.html")},
  {"/live.js", Path.join(here, "live.js")},
  {"/phoenix.js", Path.join(here, "node_modules/phoenix/priv/static/phoenix.mjs")},
  {"/phoenix_live_view.js",
   Path.join(here, "node_modules/phoenix_live_view/priv/static/phoenix_live_view.esm.js")}
]

port =
  Aldis.TestChannelServer.start(
    String.to_integer(System.get_env("PORT") || "0"),
    files ++ scripts
  )

IO.puts("listening on #{port}")
IO.read(:eof)
