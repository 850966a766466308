defmodule Aldis.Handler do
  @moduledoc """
  Takes what a listener receives: the callbacks of `:aldis_handler`, with an `init/2` that keeps its argument as state.

      defmodule MyApp.Orders do
        use Aldis.Handler

        @impl true
        def handle_batch(batch, total), do: {:ok, total + Aldis.Batch.count(batch)}
      end

  A handler lives in the connection's process. When it returns `{:ok, state}` the batch is acknowledged as handled.
  """

  defmacro __using__(_) do
    quote do
      @behaviour :aldis_handler

      @impl :aldis_handler
      def init(_connection, arg), do: {:ok, arg}

      defoverridable init: 2
    end
  end
end

defmodule Aldis.Batch do
  @moduledoc """
  A batch of whole messages, as `handle_batch/2` gets it: a window on the bytes that came.

      iex> batch = :aldis_batch.native(7, 2, :none, <<1::32-little, "a", 2::32-little, "bc">>)
      iex> {Aldis.Batch.count(batch), Aldis.Batch.first(batch), Aldis.Batch.entries(batch)}
      {2, 7, ["a", "bc"]}
      iex> Aldis.Batch.reduce(batch, 0, fn message, sum -> sum + byte_size(message) end)
      3

  Messages are parts of what was received and keep it alive: `:binary.copy/1` what is kept.
  """

  @type t :: :aldis_batch.t()

  @doc "How many messages there are, at least one."
  @spec count(t()) :: pos_integer()
  defdelegate count(batch), to: :aldis_batch

  @doc "The sequence number of the first message."
  @spec first(t()) :: pos_integer()
  defdelegate first(batch), to: :aldis_batch

  @doc "The schema and template that the producer names, if it does."
  @spec schema(t()) :: :none | {non_neg_integer(), non_neg_integer()}
  defdelegate schema(batch), to: :aldis_batch

  @doc "The messages, in order."
  @spec entries(t()) :: [binary()]
  defdelegate entries(batch), to: :aldis_batch

  @doc "The ids of messages of the legacy modes, 8 bytes each."
  @spec ids(t()) :: [<<_::64>>]
  defdelegate ids(batch), to: :aldis_batch

  @doc "Folds over the messages without making a list of them."
  @spec reduce(t(), acc, (binary(), acc -> acc)) :: acc when acc: term()
  def reduce(batch, acc, fun), do: :aldis_batch.fold(fun, acc, batch)
end
