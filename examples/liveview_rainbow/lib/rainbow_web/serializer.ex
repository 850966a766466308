defmodule RainbowWeb.Serializer do
  @moduledoc """
  Terms in both directions. For terms down and JSON up, which suits most applications better, name
  `Aldis.Phoenix.Serializer` itself in the endpoint and leave `up` away in `assets/js/app.js`.
  """
  use Aldis.Phoenix.Serializer, up: :etf, max_bytes: 1_000_000
end
