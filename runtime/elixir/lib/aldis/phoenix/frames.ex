defmodule Aldis.Phoenix.Frames do
  @moduledoc """
  The binary frames of Phoenix's V2 protocol, for payloads `{:binary, data}`. Their first byte is 0, 1 or 2 where a term
  begins with 131. Each name in them has a length of one byte.
  """

  @doc "A push to a client: kind 0 without a ref."
  @spec push(binary() | nil, binary(), binary(), binary()) :: iodata()
  def push(join_ref, topic, event, data) do
    join_ref = join_ref || ""

    [
      <<0, size!(:join_ref, join_ref), size!(:topic, topic), size!(:event, event)>>,
      join_ref,
      topic,
      event,
      data!(data)
    ]
  end

  @doc "A reply: kind 1."
  @spec reply(binary() | nil, binary() | nil, binary(), binary(), binary()) :: iodata()
  def reply(join_ref, ref, topic, status, data) do
    {join_ref, ref} = {join_ref || "", ref || ""}

    [
      <<1, size!(:join_ref, join_ref), size!(:ref, ref), size!(:topic, topic),
        size!(:status, status)>>,
      [join_ref, ref, topic, status],
      data!(data)
    ]
  end

  @doc "A broadcast: kind 2."
  @spec broadcast(binary(), binary(), binary()) :: iodata()
  def broadcast(topic, event, data),
    do: [<<2, size!(:topic, topic), size!(:event, event)>>, topic, event, data!(data)]

  @doc "A push of a client, `{join_ref, ref, topic, event, data}`; `:error` for all else. Empty refs are nil."
  @spec parse_push(binary()) ::
          {:ok, {binary() | nil, binary() | nil, binary(), binary(), binary()}} | :error
  def parse_push(
        <<0, join_ref_size, ref_size, topic_size, event_size,
          join_ref::binary-size(join_ref_size), ref::binary-size(ref_size),
          topic::binary-size(topic_size), event::binary-size(event_size), data::binary>>
      ),
      do: {:ok, {present(join_ref), present(ref), topic, event, data}}

  def parse_push(_), do: :error

  defp present(""), do: nil
  defp present(ref), do: ref

  # Data that is no binary would end the connections of all who get the frame, far from where it was made.
  defp data!(data) when is_binary(data), do: data

  defp data!(data),
    do: raise(ArgumentError, "expected a binary payload to be a binary, got: #{inspect(data)}")

  defp size!(_, name) when byte_size(name) <= 255, do: byte_size(name)

  defp size!(what, name) do
    raise ArgumentError,
          "#{what} #{inspect(name)} has #{byte_size(name)} bytes; binary messages of Phoenix take 255"
  end
end
