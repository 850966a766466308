defmodule RainbowWeb.Meter do
  @moduledoc """
  The cost of writing frames on this server: how many, and microseconds for each, by the serializer. The page shows it beside its
  own figures.
  """
  use GenServer

  def start_link(_), do: GenServer.start_link(__MODULE__, nil, name: __MODULE__)

  @doc "Does what a serializer does, and counts it."
  def timed(kind, write) do
    start = System.monotonic_time(:nanosecond)
    frame = write.()
    :counters.add(counters(), at(kind), 1)
    :counters.add(counters(), at(kind) + 1, System.monotonic_time(:nanosecond) - start)
    frame
  end

  @doc "Frames written and their mean time in microseconds."
  def figures(kind) do
    frames = :counters.get(counters(), at(kind))
    {frames, Float.round(:counters.get(counters(), at(kind) + 1) / max(frames, 1) / 1000, 1)}
  end

  @doc "The processor's time of the whole server until now, in microseconds."
  def cpu do
    {milliseconds, _} = :erlang.statistics(:runtime)
    milliseconds * 1000
  end

  @impl true
  def init(_) do
    :persistent_term.put(__MODULE__, :counters.new(4, [:write_concurrency]))
    {:ok, nil}
  end

  defp counters, do: :persistent_term.get(__MODULE__)
  defp at(:json), do: 1
  defp at(:terms), do: 3
end
