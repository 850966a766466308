# The few modules of Phoenix and its friends that the serializer meets, with their fields. The tests run without them.

defmodule Phoenix.Socket.Message do
  @moduledoc false
  defstruct topic: nil, event: nil, payload: nil, ref: nil, join_ref: nil
end

defmodule Phoenix.Socket.Reply do
  @moduledoc false
  defstruct topic: nil, status: nil, payload: nil, ref: nil, join_ref: nil
end

defmodule Phoenix.Socket.Broadcast do
  @moduledoc false
  defstruct topic: nil, event: nil, payload: nil
end

defmodule Phoenix.Socket.Serializer do
  @moduledoc false
  @callback fastlane!(%Phoenix.Socket.Broadcast{}) :: {:socket_push, :text | :binary, iodata()}
  @callback encode!(struct()) :: {:socket_push, :text | :binary, iodata()}
  @callback decode!(iodata(), keyword()) :: %Phoenix.Socket.Message{}
end

defmodule Phoenix.Socket.V2.JSONSerializer do
  @moduledoc false
  @behaviour Phoenix.Socket.Serializer

  alias Aldis.TestJson
  alias Aldis.Phoenix.{Frames, Serializer}
  alias Phoenix.Socket.{Message, Reply}

  @impl true
  def fastlane!(%{payload: {:binary, _}} = broadcast), do: Serializer.fastlane!(broadcast)
  def fastlane!(message), do: text([nil, nil, message.topic, message.event, message.payload])

  @impl true
  def encode!(%{payload: {:binary, _}} = message), do: Serializer.encode!(message)

  def encode!(%Reply{} = reply) do
    payload = %{status: reply.status, response: reply.payload}
    text([reply.join_ref, reply.ref, reply.topic, "phx_reply", payload])
  end

  def encode!(message),
    do: text([message.join_ref, message.ref, message.topic, message.event, message.payload])

  @impl true
  def decode!(frame, opcode: :text) do
    [join_ref, ref, topic, event, payload | _] = TestJson.decode!(frame)
    %Message{join_ref: join_ref, ref: ref, topic: topic, event: event, payload: payload}
  end

  def decode!(frame, opcode: :binary) do
    {:ok, {join_ref, ref, topic, event, data}} = Frames.parse_push(frame)
    %Message{join_ref: join_ref, ref: ref, topic: topic, event: event, payload: {:binary, data}}
  end

  defp text(list), do: {:socket_push, :text, TestJson.encode!(list)}
end

defmodule Phoenix.LiveView.JS do
  @moduledoc false
  defstruct ops: []
end

defmodule Decimal do
  @moduledoc false
  defstruct sign: 1, coef: 0, exp: 0
  def to_string(%{sign: sign, coef: coef, exp: 0}), do: Integer.to_string(sign * coef)
end

defmodule Phoenix.ChannelTest.NoopSerializer do
  @moduledoc false
  def fastlane!(message), do: message
  def encode!(message), do: message
end

# As Jason has them: a protocol that gives iodata, a library around it, text that is JSON already.

defprotocol Jason.Encoder do
  @moduledoc false
  def encode(value, options)
end

defmodule Jason do
  @moduledoc false
  def encode!(value), do: value |> written() |> IO.iodata_to_binary()
  def decode!(text), do: Aldis.TestJson.decode!(IO.iodata_to_binary(text))

  def written(%_{} = struct), do: Jason.Encoder.encode(struct, [])
  def written(value), do: Aldis.TestJson.encode!(value, &written/1)
end

defmodule Jason.Fragment do
  @moduledoc false
  defstruct [:encode]
end

defimpl Jason.Encoder, for: Jason.Fragment do
  def encode(%{encode: encode}, options), do: encode.(options)
end

defmodule Jason.OrderedObject do
  @moduledoc false
  defstruct values: []
end
