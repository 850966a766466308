defmodule Mix.Tasks.Aldis.Etf.Check do
  @shortdoc "Runs the tests and lists what they push that terms have no value for"
  @moduledoc """
  Runs a Phoenix application's tests, and lists the structs without an encoder (and tuples, pids and the like) in what
  channels and LiveViews push meanwhile: what would raise over `Aldis.Phoenix.Serializer`.

      MIX_ENV=test mix aldis.etf.check
      MIX_ENV=test mix aldis.etf.check --fallback Jason test/my_app_web

  Options: `--fallback MODULE`, the JSON library that the serializer is given as `fallback:`. Everything else goes to `mix
  test`. Ends with status 1 if there is anything to list.
  """
  use Mix.Task

  @impl true
  def run(arguments) do
    {fallback, arguments} = fallback(arguments)
    # So that Phoenix's test helpers are there to be watched.
    Mix.Task.run("loadpaths")
    watcher = Aldis.Etf.Check.watch(fallback: fallback)
    Mix.Task.run("test", arguments)

    case Aldis.Etf.Check.found(watcher) do
      [] ->
        Mix.shell().info("Every payload can be sent as a term.")

      found ->
        Mix.shell().error("Payloads that cannot be sent as terms:")
        Enum.each(found, &Mix.shell().error(line(&1)))
        exit({:shutdown, 1})
    end
  end

  defp fallback(["--fallback", module | arguments]), do: {Module.concat([module]), arguments}

  defp fallback([argument | arguments]) do
    {module, rest} = fallback(arguments)
    {module, [argument | rest]}
  end

  defp fallback([]), do: {nil, []}

  defp line(%{what: what, times: times, topic: topic, event: event, path: path}) do
    "  #{what} at #{inspect(path)} of #{inspect(event)} on #{inspect(topic)}" <>
      if(times > 1, do: ", #{times} times", else: "")
  end
end
