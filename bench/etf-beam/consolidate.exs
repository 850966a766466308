# Consolidates protocols, as a Mix release does: without that each call of one looks for its implementation first.
#
#   elixir -pa EBIN… consolidate.exs OUT EBIN…
[out | paths] = System.argv()
File.mkdir_p!(out)
elixir = :elixir |> :code.lib_dir() |> Path.join("ebin")

for protocol <- [Aldis.Etf.Encoder, JSON.Encoder], Code.ensure_loaded?(protocol) do
  implementations = Protocol.extract_impls(protocol, [elixir | paths])
  {:ok, beam} = Protocol.consolidate(protocol, implementations)
  File.write!(Path.join(out, "#{protocol}.beam"), beam)
end
