defmodule Aldis.Phoenix.Serializer do
  @moduledoc """
  A `Phoenix.Socket.Serializer` that sends External Term Format and takes JSON, or terms too.

  Mount it beside Phoenix's own, with a version of its own, so that tabs with the old script go on in JSON:

      socket "/live", Phoenix.LiveView.Socket,
        websocket: [
          serializer: [
            {Phoenix.Socket.V2.JSONSerializer, "~> 2.0"},
            {Aldis.Phoenix.Serializer, "~> 3.0"}
          ]
        ],
        longpoll: [
          serializer: [
            {Phoenix.Socket.V2.JSONSerializer, "~> 2.0"},
            {Aldis.Phoenix.LongPollSerializer, "~> 3.0"}
          ]
        ]

  This module takes JSON from clients, through `Phoenix.Socket.V2.JSONSerializer`. What clients send is short text for
  the most part, which terms make longer, so this is the right choice for most. To take terms as well, checked and
  limited, make a serializer of your own:

      defmodule MyApp.EtfSerializer do
        use Aldis.Phoenix.Serializer, up: :etf, max_bytes: 1_000_000
      end

  Options:

    * `:up` - `:json` (default), or `:etf` to take terms beside JSON
    * `:text` - `true` for long polling, which carries text alone: frames to clients are in base64 (`false`)
    * `:encode` - options of `Aldis.Etf.encode!/2`
    * limits of `t:Aldis.Etf.limits/0`, for terms from clients

  Payloads may hold `{:bytes, data}` anywhere, in both directions where clients send terms: a `Uint8Array` in the browser.
  Tabs that speak JSON get it too, as base64, from `Aldis.Phoenix.JSONSerializer` in place of Phoenix's own.

  Payloads `{:binary, data}` travel in V2's binary frames in both directions, uploads included.

  `encode!/1` and `fastlane!/1` raise `ArgumentError` for payloads that are no data, with the way to what is wrong in
  the message `[join_ref, ref, topic, event, payload]`: `[4, :user]` is the payload's `:user`. `decode!/2` raises
  `Aldis.Etf.DecodeError` or `ArgumentError` for frames it refuses: that ends the socket, as with Phoenix's own.
  """

  alias Aldis.Phoenix.{Diff, Frames}

  @json Phoenix.Socket.V2.JSONSerializer
  @compile {:no_warn_undefined, @json}

  defmacro __using__(options) do
    quote bind_quoted: [options: options] do
      if Code.ensure_loaded?(Phoenix.Socket.Serializer), do: @behaviour(Phoenix.Socket.Serializer)
      @aldis_config Aldis.Phoenix.Serializer.config(options)

      @doc false
      def fastlane!(broadcast), do: Aldis.Phoenix.Serializer.fastlane!(broadcast, @aldis_config)

      @doc false
      def encode!(message), do: Aldis.Phoenix.Serializer.encode!(message, @aldis_config)

      @doc false
      def decode!(frame, options),
        do: Aldis.Phoenix.Serializer.decode!(frame, options, @aldis_config)
    end
  end

  @typedoc false
  @type config :: %{
          up: :json | :etf,
          text: boolean(),
          encode: keyword(),
          limits: :aldis_etf_scan.limits() | []
        }

  @doc false
  @spec config(keyword()) :: config()
  def config(options) do
    {up, options} = Keyword.pop(options, :up, :json)
    {text, options} = Keyword.pop(options, :text, false)
    {encode, limits} = Keyword.pop(options, :encode, [])

    unless up in [:json, :etf],
      do: raise(ArgumentError, "expected up: :json or :etf, got: #{inspect(up)}")

    unless is_boolean(text),
      do: raise(ArgumentError, "expected text: true or false, got: #{inspect(text)}")

    unless Keyword.keyword?(encode),
      do: raise(ArgumentError, "expected encode: a list of options, got: #{inspect(encode)}")

    # Wrong options fail when a serializer is compiled, and not with each message.
    Aldis.Etf.check_encoding!(encode)
    %{up: up, text: text, encode: encode, limits: Aldis.Etf.limits!(limits)}
  end

  @default %{up: :json, text: false, encode: [], limits: []}

  @doc "A `Phoenix.Socket.Broadcast` as one frame for all its subscribers."
  def fastlane!(broadcast), do: fastlane!(broadcast, @default)

  @doc "A `Phoenix.Socket.Message` or `Phoenix.Socket.Reply` as a frame."
  def encode!(message), do: encode!(message, @default)

  @doc "A client's frame as a `Phoenix.Socket.Message`; `opcode: :text` or `:binary`."
  def decode!(frame, options), do: decode!(frame, options, @default)

  @doc false
  def fastlane!(%{topic: topic, event: event, payload: {:binary, data}}, config),
    do: carried(Frames.broadcast(topic, event, data), config)

  def fastlane!(%{topic: topic, event: event, payload: %{} = payload}, config),
    do: frame([nil, nil, topic, event, payload], config)

  def fastlane!(%{payload: payload}, _), do: no_map!(payload)

  @doc false
  def encode!(%{__struct__: Phoenix.Socket.Reply, payload: {:binary, data}} = reply, config) do
    status = to_string(reply.status)
    carried(Frames.reply(reply.join_ref, reply.ref, reply.topic, status, data), config)
  end

  def encode!(%{__struct__: Phoenix.Socket.Reply} = reply, config) do
    # As text, since the status may be any atom and nil, true and false would not arrive as names.
    payload = %{"status" => to_string(reply.status), "response" => reply.payload}
    list = [reply.join_ref, reply.ref, reply.topic, "phx_reply", payload]

    case reply.payload do
      %{diff: diff} = response when map_size(response) == 1 -> diff_frame(list, diff, config)
      _ -> frame(list, config)
    end
  end

  def encode!(%{payload: {:binary, data}} = message, config),
    do: carried(Frames.push(message.join_ref, message.topic, message.event, data), config)

  def encode!(%{payload: %{}} = message, config) do
    list = [message.join_ref, message.ref, message.topic, message.event, message.payload]

    if message.event == "diff",
      do: diff_frame(list, message.payload, config),
      else: frame(list, config)
  end

  def encode!(%{payload: payload}, _), do: no_map!(payload)

  @doc false
  def decode!(frame, options, config) do
    case {options[:opcode], frame} do
      {:binary, <<131, _::binary>>} -> decode_term!(frame, config)
      {:binary, _} -> decode_push!(frame)
      # JSON of a message is a list; a client's bytes come over long polling in base64.
      {:text, <<first, _::binary>>} when first != ?[ -> decode_text!(frame, options, config)
      {_, _} -> @json.decode!(frame, options)
    end
  end

  defp decode_text!(frame, options, %{text: true} = config) do
    case Base.decode64(frame) do
      {:ok, bytes} -> decode!(bytes, [opcode: :binary], config)
      :error -> @json.decode!(frame, options)
    end
  end

  defp decode_text!(frame, options, _), do: @json.decode!(frame, options)

  defp decode_term!(frame, %{up: :etf, limits: limits}) do
    case Aldis.Etf.decode!(frame, limits) do
      [join_ref, ref, topic, event, payload | _]
      when (is_binary(join_ref) or is_nil(join_ref)) and (is_binary(ref) or is_nil(ref)) and
             is_binary(topic) and is_binary(event) ->
        message(join_ref, ref, topic, event, payload)

      _ ->
        raise ArgumentError,
              "expected a message [join_ref, ref, topic, event, payload] from the client"
    end
  end

  defp decode_term!(_, %{up: :json}) do
    raise ArgumentError,
          "got a term from a client, but this serializer takes JSON; use Aldis.Phoenix.Serializer, up: :etf"
  end

  defp decode_push!(frame) do
    case Frames.parse_push(frame) do
      {:ok, {join_ref, ref, topic, event, data}} ->
        message(join_ref, ref, topic, event, {:binary, data})

      :error ->
        raise ArgumentError, "expected a binary push of Phoenix's V2 protocol from the client"
    end
  end

  defp message(join_ref, ref, topic, event, payload) do
    struct!(Phoenix.Socket.Message,
      join_ref: join_ref,
      ref: ref,
      topic: topic,
      event: event,
      payload: payload
    )
  end

  # The list needs no walk where its diff is LiveView's own, unless text is to be checked.
  defp diff_frame(list, diff, config) do
    if config.encode[:utf8] == false and Diff.plain?(diff),
      do: carried(:erlang.term_to_binary(list), config),
      else: frame(list, config)
  end

  defp frame(list, config), do: carried(Aldis.Etf.encode_checked!(list, config.encode), config)

  defp carried(frame, %{text: false}), do: {:socket_push, :binary, frame}

  defp carried(frame, %{text: true}),
    do: {:socket_push, :text, frame |> IO.iodata_to_binary() |> Base.encode64()}

  defp no_map!(payload),
    do:
      raise(
        ArgumentError,
        "expected payload to be a map or {:binary, data}, got: #{inspect(payload)}"
      )
end
