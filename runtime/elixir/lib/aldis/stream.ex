defmodule Aldis.Stream do
  @moduledoc """
  Messages one after another in a stream of bytes: `:aldis_stream` from Elixir.

  A receiver takes bytes as they come from a socket, gives whole messages or structs, and keeps what is left. It is a value
  that its owner holds:

      receiver = Aldis.Stream.new(:u32le, 65_536)
      {:ok, messages, receiver} = Aldis.Stream.feed(receiver, bytes)
      {:ok, structs, receiver} = Aldis.Stream.decode(receiver, more, &Market.decode/1, unknown: :skip)

  A sender needs no state:

      {:ok, iodata} = Aldis.Stream.encode(quote, &Market.Quote.encode/1, :u32le)

  | format | framing | codec |
  |---|---|---|
  | SBE | what both sides agree on: `:u16le` to `:u32be`, `:sofh` | `Market.decode/1` |
  | FBE | `:fbe`: its messages begin with their size | `Market.decode/1`, `Market.decode_final/1` |
  | Cap'n Proto | `:capnp`, or `:capnp_packed` | `Market.Quote.decode/1`, `Market.Quote.decode_packed/1` |

  A framing that is broken, or a frame beyond the limit (64 MiB unless given), is an error, and the stream cannot go on: there
  is no way to find the next frame.
  """

  @typedoc "How messages lie in the stream; `t::aldis_stream.framing/0` says what each means."
  @type framing() :: :aldis_stream.framing()

  @opaque t() :: :aldis_stream.receiver()

  @typedoc "What is wrong with the frames, or with a message."
  @type reason() :: :aldis_stream.fault() | :aldis.reason()

  @doc "A receiver of frames of at most `limit` bytes. Raises `ArgumentError` for what is no framing or limit."
  @spec new(framing(), pos_integer()) :: t()
  def new(framing, limit \\ 67_108_864), do: :aldis_stream.new(framing, limit)

  @doc """
  The messages that are complete with these bytes. They are parts of what was fed.

      iex> receiver = Aldis.Stream.new(:u16be)
      iex> {:ok, ["ab"], receiver} = Aldis.Stream.feed(receiver, <<2::16, "ab", 3::16, "c">>)
      iex> {:ok, messages, _} = Aldis.Stream.feed(receiver, "de")
      iex> messages
      ["cde"]

      iex> Aldis.Stream.feed(Aldis.Stream.new(:u32be, 100), <<1000::32>>)
      {:error, {:frame_too_large, 1004, 100}, []}
  """
  @spec feed(t(), binary()) :: {:ok, [binary()], t()} | {:error, reason(), [binary()]}
  def feed(receiver, bytes), do: :aldis_stream.feed(bytes, receiver)

  @doc """
  As `feed/2`, with each message decoded. The first one that cannot be ends it, with the structs before it.

  Messages with an id that the schema does not know, as newer peers send them, end it too, unless `unknown:` is `:skip`, or
  `:keep`: then they stand among the structs as `{:unknown, bytes}`.

      iex> decode = fn
      ...>   <<1, text::binary>> -> {:ok, text, ""}
      ...>   _ -> {:error, {:unknown_message, 0, ""}}
      ...> end
      iex> receiver = Aldis.Stream.new(:u16be)
      iex> {:ok, found, _} = Aldis.Stream.decode(receiver, <<2::16, 1, "a", 1::16, 9>>, decode, unknown: :keep)
      iex> found
      ["a", {:unknown, <<9>>}]
  """
  @spec decode(t(), binary(), :aldis_stream.decoder(struct), unknown: :stop | :skip | :keep) ::
          {:ok, [struct | {:unknown, binary()}], t()}
          | {:error, reason(), [struct | {:unknown, binary()}]}
        when struct: term()
  def decode(receiver, bytes, decode, options \\ []),
    do: :aldis_stream.records(decode, bytes, receiver, Map.new(options))

  @doc """
  A fault in words.

      iex> Aldis.Stream.format_error({:frame_too_small, 1, 2})
      "the size of a frame is 1, where 2 is the least: is this the peer's framing?"
  """
  @spec format_error(reason()) :: String.t()
  def format_error(reason), do: reason |> :aldis_stream.format_error() |> IO.chardata_to_string()

  @doc "The bytes that were fed and are no whole message yet."
  @spec rest(t()) :: binary()
  def rest(receiver), do: :aldis_stream.rest(receiver)

  @doc """
  A struct as it goes into a stream.

      iex> {:ok, iodata} = Aldis.Stream.encode("ab", &{:ok, &1}, :u16be)
      iex> IO.iodata_to_binary(iodata)
      <<0, 2, "ab">>
  """
  @spec encode(
          struct,
          (struct -> {:ok, iodata()} | {:error, :aldis.reason()}),
          framing() | {:sofh, :little | :big}
        ) ::
          {:ok, iodata()} | {:error, reason()}
        when struct: term()
  def encode(struct, encode, framing), do: :aldis_stream.send(encode, struct, framing)

  @doc """
  The messages in chunks of bytes, lazily, as from a file. Raises when the frames are broken, or end within one.

      iex> [<<1::16, "a", 2>>, <<2>>, "bc"] |> Aldis.Stream.messages({:length, 0, 16, :big, 2}) |> Enum.to_list()
      ** (RuntimeError) the stream is broken: the size of a frame is 1, where 2 is the least: is this the peer's framing?

      iex> [<<1::16, "a", 0>>, <<2, "b">>, "c"] |> Aldis.Stream.messages(:u16be) |> Enum.to_list()
      ["a", "bc"]
  """
  @spec messages(Enumerable.t(), framing(), pos_integer()) :: Enumerable.t()
  def messages(chunks, framing, limit \\ 67_108_864) do
    Stream.transform(
      chunks,
      fn -> new(framing, limit) end,
      fn bytes, receiver ->
        case feed(receiver, bytes) do
          {:ok, messages, receiver} -> {messages, receiver}
          {:error, reason, _} -> raise "the stream is broken: #{format_error(reason)}"
        end
      end,
      fn receiver ->
        case rest(receiver) do
          "" ->
            {[], receiver}

          rest ->
            raise "the stream ends within a message, of which it has #{byte_size(rest)} bytes"
        end
      end,
      fn _ -> :ok end
    )
  end
end
