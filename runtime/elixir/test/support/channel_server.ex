defmodule Aldis.TestChannelServer do
  @moduledoc false
  # A server of Phoenix channels, small enough to read at once: real frames for the real client, without Phoenix.
  # One mount, `/socket`, serves old clients in JSON and new ones in terms; on `/both` terms go up too. Each is there over
  # websockets and, as Phoenix has it, over long polling.

  alias Aldis.TestChannel
  alias Aldis.TestWebSocket, as: WebSocket
  alias Phoenix.Socket.{Broadcast, Message, Reply}

  defmodule BothWays do
    @moduledoc false
    use Aldis.Phoenix.Serializer, up: :etf, max_bytes: 2_000_000
  end

  defmodule BothWaysPolled do
    @moduledoc false
    use Aldis.Phoenix.Serializer, up: :etf, max_bytes: 2_000_000, text: true
  end

  # The topic of a page that LiveView's client mounts.
  @view "lv:phx-test"
  @json {Aldis.Phoenix.JSONSerializer, "~> 2.0"}
  @mounts %{
    "/socket/websocket" => [@json, {Aldis.Phoenix.Serializer, "~> 3.0"}],
    "/both/websocket" => [@json, {BothWays, "~> 3.0"}],
    "/socket/longpoll" => [@json, {Aldis.Phoenix.LongPollSerializer, "~> 3.0"}],
    "/both/longpoll" => [@json, {BothWaysPolled, "~> 3.0"}]
  }

  @doc "Listens on a port (0: any free one); files are served from `{path, file}` pairs. Returns the port."
  def start(port, files) do
    {:ok, _} = Registry.start_link(keys: :duplicate, name: __MODULE__)

    options = [
      :binary,
      packet: :http_bin,
      active: false,
      reuseaddr: true,
      ip: {127, 0, 0, 1},
      nodelay: true
    ]

    {:ok, listener} = :gen_tcp.listen(port, options)
    spawn_link(fun_accept(listener, Map.new(files)))
    {:ok, port} = :inet.port(listener)
    port
  end

  defp fun_accept(listener, files), do: fn -> accept(listener, files) end

  defp accept(listener, files) do
    {:ok, socket} = :gen_tcp.accept(listener)
    pid = spawn(fn -> receive(do: (:go -> serve(socket, files))) end)
    :ok = :gen_tcp.controlling_process(socket, pid)
    send(pid, :go)
    accept(listener, files)
  end

  defp serve(socket, files) do
    {path, query, headers, body} = WebSocket.request(socket)

    case {@mounts[path], files[path]} do
      {nil, nil} -> WebSocket.respond(socket, "404 Not Found", "text/plain", "no #{path}")
      {nil, file} -> WebSocket.respond(socket, "200 OK", type(path), File.read!(file))
      {serializers, _} -> mount(Path.basename(path), socket, serializers, query, headers, body)
    end
  end

  defp mount("websocket", socket, serializers, query, headers, _),
    do: upgrade(socket, serializers, query["vsn"] || "1.0.0", headers)

  defp mount("longpoll", socket, serializers, query, _, body) do
    answer = polled(serializers, query, body)
    WebSocket.respond(socket, "200 OK", "application/json", Aldis.TestJson.encode!(answer))
  end

  # Without a token, or with one whose session is gone, there is a new one; the client asks again with it.
  defp polled(serializers, query, body) do
    case Registry.lookup(__MODULE__, {:poll, query["token"]}) do
      [{session, _}] -> asked(session, query["token"], body)
      [] -> begin_session(serializers, query["vsn"] || "1.0.0")
    end
  end

  defp begin_session(serializers, vsn) do
    case Enum.find(serializers, fn {_, requirement} -> Version.match?(vsn, requirement) end) do
      nil ->
        %{status: 403}

      {serializer, _} ->
        token = Base.encode16(:crypto.strong_rand_bytes(8))
        server = self()
        session = spawn(fn -> session(token, serializer, server) end)
        receive do: ({:ready, ^session} -> %{status: 410, token: token, messages: []})
    end
  end

  defp session(token, serializer, server) do
    Registry.register(__MODULE__, {:poll, token}, nil)
    send(server, {:ready, self()})
    state = %{socket: nil, serializer: serializer, topics: %{}, rest: "", part: nil}
    loop(Map.merge(state, %{queue: [], waiter: nil}))
  end

  defp asked(session, token, body) do
    monitor = Process.monitor(session)
    send(session, if(body, do: {:post, self(), body}, else: {:poll, self()}))

    receive do
      {:answer, ^session, messages} -> %{status: 200, token: token, messages: messages}
      {:DOWN, ^monitor, _, _, _} -> %{status: 410, token: token, messages: []}
    after
      # A client that asks again is another process; this one is not waited for any more.
      5000 -> %{status: 204, token: token, messages: []}
    end
  end

  defp type(path),
    do:
      if(String.ends_with?(path, ".js"), do: "text/javascript", else: "text/html; charset=utf-8")

  defp upgrade(socket, serializers, vsn, headers) do
    case Enum.find(serializers, fn {_, requirement} -> Version.match?(vsn, requirement) end) do
      nil ->
        WebSocket.respond(socket, "403 Forbidden", "text/plain", "no serializer for vsn #{vsn}")

      {serializer, _} ->
        WebSocket.accept(socket, headers)
        :inet.setopts(socket, packet: :raw, active: true)
        loop(%{socket: socket, serializer: serializer, topics: %{}, rest: "", part: nil})
    end
  end

  defp loop(state) do
    receive do
      {:tcp, _, data} -> state |> Map.update!(:rest, &(&1 <> data)) |> frames() |> loop()
      {:tcp_closed, _} -> view_left()
      {:socket_push, kind, frame} -> state |> deliver(kind, frame) |> loop()
      {:push, topic, event, payload} -> state |> push(topic, event, payload) |> loop()
      {:tick, topic, every, count, at} -> state |> tick(topic, every, count, at) |> loop()
      {:poll, asker} -> %{state | waiter: asker} |> answer() |> loop()
      {:post, asker, body} -> state |> posted(asker, body) |> loop()
    end
  end

  # A line a message; those that are no JSON are binary frames in base64.
  defp posted(state, asker, body) do
    lines = String.split(body, "\n")

    state =
      Enum.reduce(lines, state, fn
        "[" <> _ = text, state ->
          message(state, state.serializer.decode!(text, opcode: :text))

        base64, state ->
          message(state, state.serializer.decode!(Base.decode64!(base64), opcode: :binary))
      end)

    send(asker, {:answer, self(), []})
    state
  end

  defp answer(%{waiter: waiter, queue: [_ | _] = queue} = state) when is_pid(waiter) do
    send(waiter, {:answer, self(), Enum.reverse(queue)})
    %{state | waiter: nil, queue: []}
  end

  defp answer(state), do: state

  defp frames(state) do
    case WebSocket.parse(state.rest) do
      {:ok, fin, kind, data, rest} -> %{state | rest: rest} |> frame(fin, kind, data) |> frames()
      :more -> state
    end
  end

  defp frame(state, _, :close, _), do: close(state)
  defp frame(state, _, :ping, data), do: deliver(state, :pong, data)
  defp frame(state, _, :pong, _), do: state
  defp frame(state, 0, :continuation, data), do: %{state | part: append(state.part, data)}
  defp frame(state, 0, kind, data), do: %{state | part: {kind, data}}

  defp frame(state, 1, :continuation, data) do
    {kind, data} = append(state.part, data)
    frame(%{state | part: nil}, 1, kind, data)
  end

  defp frame(state, 1, kind, data),
    do: message(state, state.serializer.decode!(data, opcode: kind))

  defp append({kind, head}, data), do: {kind, head <> data}

  defp close(state) do
    view_left()
    if state.socket, do: :gen_tcp.close(state.socket)
    exit(:normal)
  end

  defp message(state, %Message{topic: "phoenix", event: "heartbeat"} = message),
    do: reply(state, message, :ok, %{})

  defp message(state, %Message{event: "phx_join", topic: "lv:" <> _} = message) do
    # As OTP marks the process of a LiveView, which the serializer goes by.
    Process.put(:"$initial_call", {Phoenix.LiveView.Channel, :init, 1})
    state = put_in(state.topics[message.topic], message.join_ref)
    rendered = rendered(message)
    state = reply(state, message, :ok, %{rendered: rendered, liveview_version: "1.2.12"})
    if message.topic == @view, do: tell_views(%{2 => "#{views()}"})
    state
  end

  defp message(state, %Message{event: "phx_join", topic: "lvu:" <> _} = message) do
    state = put_in(state.topics[message.topic], message.join_ref)
    reply(state, message, :ok, %{})
  end

  defp message(state, %Message{event: "phx_join"} = message) do
    Registry.register(__MODULE__, message.topic, state.serializer)
    state = put_in(state.topics[message.topic], message.join_ref)
    state = reply(state, message, :ok, TestChannel.joined(message.payload))
    broadcast(message.topic, "presence_diff", TestChannel.presence(message.payload, :joins))
    state
  end

  defp message(state, %Message{event: "phx_leave", topic: @view} = message) do
    view_left()
    reply(state, message, :ok, %{})
  end

  defp message(state, %Message{event: "phx_leave"} = message) do
    Registry.unregister(__MODULE__, message.topic)
    reply(state, message, :ok, %{})
  end

  defp message(state, message) do
    case TestChannel.handle(message.event, message.payload) do
      {:reply, status, payload} ->
        reply(state, message, status, payload)

      {:broadcast, event, payload} ->
        broadcast(message.topic, event, payload)
        reply(state, message, :ok, %{})

      {:close, topic, payload} ->
        state |> reply(message, :ok, payload) |> push(topic, "phx_close", %{})

      {:views, diff} ->
        tell_views(diff)
        reply(state, message, :ok, %{})

      {:push, event, payload} ->
        state |> reply(message, :ok, %{}) |> push(message.topic, event, payload)

      {:ticks, every, count} ->
        state |> reply(message, :ok, %{}) |> tick(message.topic, every, count, now())

      :drop ->
        close(state)
    end
  end

  defp rendered(%Message{topic: "lv:phx-child"}), do: TestChannel.child()

  defp rendered(%Message{payload: payload}) do
    if (payload["url"] || payload["redirect"] || "") =~ "/features",
      do: TestChannel.features(view_came()),
      else: TestChannel.mounted()
  end

  # The pages of features that are open, each of which tells the others: what presence is made for.
  defp view_came do
    Registry.unregister(__MODULE__, @view)
    {:ok, _} = Registry.register(__MODULE__, @view, nil)
    views()
  end

  defp view_left do
    Registry.unregister(__MODULE__, @view)
    tell_views(%{2 => "#{views()}"})
  end

  defp views, do: length(Registry.lookup(__MODULE__, @view))

  defp tell_views(diff) do
    for {pid, _} <- Registry.lookup(__MODULE__, @view),
        do: send(pid, {:push, @view, "diff", diff})
  end

  defp tick(state, _, _, 0, _), do: state

  # Each tick has a time of its own, so that late ones don't delay the rest.
  defp tick(state, topic, every, count, at) do
    next = max(at + every, now() - every)
    Process.send_after(self(), {:tick, topic, every, count - 1, next}, next, abs: true)
    push(state, topic, "diff", TestChannel.rainbow(count))
  end

  defp now, do: System.monotonic_time(:millisecond)

  # As Phoenix does: the broadcaster encodes once for each serializer, subscribers pass the frame on.
  defp broadcast(topic, event, payload) do
    Registry.dispatch(__MODULE__, topic, fn subscribers ->
      Enum.reduce(subscribers, %{}, fn {pid, serializer}, frames ->
        broadcast = %Broadcast{topic: topic, event: event, payload: payload}
        frames = Map.put_new_lazy(frames, serializer, fn -> serializer.fastlane!(broadcast) end)
        send(pid, frames[serializer])
        frames
      end)
    end)
  end

  defp push(state, topic, event, payload),
    do:
      send_message(state, %Message{
        join_ref: state.topics[topic],
        topic: topic,
        event: event,
        payload: payload
      })

  defp reply(state, %Message{topic: topic, ref: ref, join_ref: join_ref}, status, payload),
    do:
      send_message(state, %Reply{
        topic: topic,
        ref: ref,
        join_ref: join_ref,
        status: status,
        payload: payload
      })

  defp send_message(state, message) do
    start = System.monotonic_time(:nanosecond)
    {:socket_push, kind, frame} = state.serializer.encode!(message)
    {frames, spent} = Process.get(:served, {0, 0})
    Process.put(:served, {frames + 1, spent + System.monotonic_time(:nanosecond) - start})
    deliver(state, kind, frame)
  end

  # Polled messages are text, as Phoenix has it.
  defp deliver(%{socket: nil} = state, :text, frame),
    do: answer(%{state | queue: [IO.iodata_to_binary(frame) | state.queue]})

  defp deliver(state, kind, frame) do
    WebSocket.send_frame(state.socket, kind, frame)
    state
  end
end
