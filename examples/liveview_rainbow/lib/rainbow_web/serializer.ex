defmodule RainbowWeb.Serializer do
  @moduledoc """
  Terms in both directions. For terms down and JSON up, which suits most applications better, name
  `Aldis.Phoenix.Serializer` itself in the endpoint and leave `up` away in `assets/js/app.js`.
  """
  use Aldis.Phoenix.Serializer, up: :etf, max_bytes: 1_000_000
end

defmodule RainbowWeb.LongPollSerializer do
  @moduledoc "The same for long polling."
  use Aldis.Phoenix.Serializer, up: :etf, max_bytes: 1_000_000, text: true
end

for {metered, serializer, kind} <- [
      {RainbowWeb.MeteredTerms, RainbowWeb.Serializer, :terms},
      {RainbowWeb.MeteredJSON, Aldis.Phoenix.JSONSerializer, :json}
    ] do
  defmodule metered do
    @moduledoc "Another serializer, with its time taken for the page: an application names that one itself."
    @behaviour Phoenix.Socket.Serializer

    @serializer serializer
    @kind kind

    @impl true
    def fastlane!(broadcast),
      do: RainbowWeb.Meter.timed(@kind, fn -> @serializer.fastlane!(broadcast) end)

    @impl true
    def encode!(message),
      do: RainbowWeb.Meter.timed(@kind, fn -> @serializer.encode!(message) end)

    @impl true
    def decode!(frame, options), do: @serializer.decode!(frame, options)
  end
end
