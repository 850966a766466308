defmodule Aldis.Phoenix.LongPollSerializer do
  @moduledoc """
  `Aldis.Phoenix.Serializer` for long polling, which carries text alone: frames to clients are in base64, so that they hold
  what frames over websockets do. Clients send JSON; for terms, make a serializer of your own:

      defmodule MyApp.LongPollSerializer do
        use Aldis.Phoenix.Serializer, text: true, up: :etf
      end
  """
  use Aldis.Phoenix.Serializer, text: true
end
