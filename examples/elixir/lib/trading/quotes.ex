defmodule Trading.Quotes do
  @moduledoc "Prices, compiled from their schema where this module stands."
  use Aldis, schema: "priv/quotes.capnp"
end
