defmodule Aldis.Etf.Check do
  @moduledoc """
  Finds what `Aldis.Etf.encode!/2` would refuse, all of it at once: in a term, or in what a running test suite pushes.

  Test suites use neither serializer of an application, so a struct without an encoder shows in the browser first. The
  task `mix aldis.etf.check` runs a suite between `watch/1` and `found/1`.
  """

  # The modules that Phoenix's test helpers use in place of a serializer.
  @serializers [Phoenix.ChannelTest.NoopSerializer, Phoenix.LiveViewTest.ClientProxy]

  @typedoc "A refused value, how often, and where first: topic and event of the message, the way in its payload."
  @type found :: %{
          what: String.t(),
          times: pos_integer(),
          topic: term(),
          event: term(),
          path: [term()]
        }

  @doc """
  The faults of a term, each with the way to it. `:fallback` as in `t:Aldis.Etf.encode_options/0`.

      iex> Aldis.Etf.Check.problems(%{user: %URI{}, at: ~D[2024-02-29], ids: [{1, 2}]})
      [{[:ids, 0], "a tuple"}, {[:user], "%URI{}"}]
  """
  @spec problems(term(), fallback: module() | nil) :: [{[term()], String.t()}]
  def problems(term, options \\ []) do
    convert = Aldis.Etf.Fallback.converter(options[:fallback])
    term |> look([], convert) |> Enum.sort()
  end

  # `path` is in reverse.
  defp look(%name{} = struct, path, convert) do
    case convert.(struct) do
      %^name{} -> [{Enum.reverse(path), "%#{inspect(name)}{}"}]
      data -> look(data, path, convert)
    end
  end

  defp look(%{} = map, path, convert) do
    Enum.flat_map(map, fn {key, value} ->
      wrong = if key?(key), do: [], else: [{Enum.reverse(path), "the key #{inspect(key)}"}]
      wrong ++ look(value, [key | path], convert)
    end)
  end

  defp look(list, path, convert) when is_list(list), do: items(list, 0, path, convert)
  defp look({:bytes, data}, _, _) when is_binary(data), do: []
  defp look(text, path, _) when is_binary(text), do: one(String.valid?(text), path, "no UTF-8")
  defp look(value, _, _) when is_atom(value) or is_number(value), do: []
  defp look(value, path, _) when is_tuple(value), do: one(false, path, "a tuple")
  defp look(value, path, _), do: one(false, path, inspect(value))

  defp items([item | items], at, path, convert),
    do: look(item, [at | path], convert) ++ items(items, at + 1, path, convert)

  defp items([], _, _, _), do: []
  defp items(_, _, path, _), do: one(false, path, "an improper list")

  defp one(true, _, _), do: []
  defp one(false, path, what), do: [{Enum.reverse(path), what}]

  defp key?(key), do: is_atom(key) or is_number(key) or (is_binary(key) and String.valid?(key))

  @doc """
  Begins to look at all that goes through Phoenix's test helpers, in any process. Options are `:fallback`, and
  `:serializers`, a list of more modules whose `encode!/1` and `fastlane!/1` get messages.

  It uses the VM's tracing of calls, of which there is one user at a time.
  """
  @spec watch(keyword()) :: pid()
  def watch(options \\ []) do
    Aldis.Etf.Fallback.check!(options[:fallback])
    watcher = spawn_link(fn -> collect(%{}, options) end)
    :erlang.trace(:all, true, [:call, {:tracer, watcher}])

    for module <- @serializers ++ Keyword.get(options, :serializers, []),
        Code.ensure_loaded?(module),
        function <- [:encode!, :fastlane!] do
      :erlang.trace_pattern({module, function, 1}, true, [:local])
    end

    watcher
  end

  @doc "Ends looking, and says what was found."
  @spec found(pid()) :: [found()]
  def found(watcher) do
    delivered = :erlang.trace_delivered(:all)
    receive do: ({:trace_delivered, :all, ^delivered} -> :ok)
    :erlang.trace(:all, false, [:call])
    send(watcher, {:found, self()})

    receive do
      {^watcher, found} -> found |> Map.values() |> Enum.sort_by(&{&1.what, &1.topic})
    end
  end

  defp collect(found, options) do
    receive do
      {:trace, _, :call, {_, _, [message]}} ->
        message |> messages(options) |> Enum.reduce(found, &note/2) |> collect(options)

      {:found, asker} ->
        send(asker, {self(), found})
    end
  end

  defp messages(%{topic: topic, payload: payload} = message, options) do
    for {path, what} <- payload |> payload() |> problems(options) do
      %{what: what, times: 1, topic: topic, event: Map.get(message, :event), path: path}
    end
  end

  defp messages(_, _), do: []

  # Phoenix's binary frames hold no terms.
  defp payload({:binary, _}), do: %{}
  defp payload(payload), do: payload

  # The same struct at the same event is one finding.
  defp note(one, found),
    do: Map.update(found, {one.what, one.event}, one, &%{&1 | times: &1.times + 1})
end
