defmodule Aldis.Log do
  @moduledoc """
  A durable log, `:aldis_log`, below a supervisor and to read from.

      children = [
        {Aldis.Log, name: :orders_log, folder: "/var/lib/orders"},
        {Aldis.Server, name: :orders, port: 7100, sink: {:aldis_log, :orders_log}}
      ]

  `stream/2` gives what is durable when it is reached, lazily, and ends there:

      iex> :orders_log |> Aldis.Log.stream(1) |> Enum.map(& &1.message)
      ["first", "second", "third"]
      iex> :orders_log |> Aldis.Log.stream(3) |> Enum.map(&{&1.offset, &1.sequence, &1.schema})
      [{3, 1, {7, 1}}]
  """

  @typedoc "A message: where it is in the log, who sent it when (in ms since 1970) as which of theirs, and its bytes."
  @type entry() :: %{
          offset: pos_integer(),
          time: non_neg_integer(),
          producer: <<_::128>>,
          epoch: non_neg_integer(),
          sequence: pos_integer(),
          schema: :aldis_sink.schema(),
          message: binary()
        }

  @doc "A child of a supervisor: the options of `:aldis_log.start_link/1`, as a keyword list or a map."
  @spec child_spec(keyword() | map()) :: Supervisor.child_spec()
  def child_spec(options), do: options |> Map.new() |> :aldis_log.child_spec()

  @doc "The messages from an offset on, oldest first; where retention has removed them, from the oldest that is kept."
  @spec stream(:aldis_sink.name(), pos_integer()) :: Enumerable.t()
  def stream(log, from) do
    Stream.resource(
      fn -> :aldis_log.cursor(log, from) end,
      fn cursor ->
        case :aldis_log_reader.next(cursor) do
          {:ok, batch, cursor} -> {entries(batch), cursor}
          {:tail, cursor} -> {:halt, cursor}
          {:error, reason, _} -> raise "log #{inspect(log)} cannot be read: #{inspect(reason)}"
        end
      end,
      &:aldis_log_reader.close/1
    )
  end

  defp entries(batch) do
    batch.entries
    |> :aldis_scan.to_list(0, batch.count)
    |> Enum.with_index(fn message, index ->
      %{
        offset: batch.offset + index,
        time: batch.time,
        producer: batch.producer,
        epoch: batch.epoch,
        sequence: batch.first + index,
        schema: batch.schema,
        message: message
      }
    end)
  end
end
