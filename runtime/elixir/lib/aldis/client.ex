defmodule Aldis.Client do
  @moduledoc """
  A producer of acknowledged messages: the Elixir face of `:aldis_client`.

      children = [
        {Aldis.Client, name: :to_orders, host: "orders.example", port: 7100, durability: :durable}
      ]

  or started and used by hand:

      iex> {:ok, _} = Aldis.Server.start_listener(:doc_client, port: 0, handler: Aldis.ClientTest.Echo)
      iex> %{port: port} = Aldis.Server.info(:doc_client)
      iex> {:ok, client} = Aldis.Client.start_link(host: "localhost", port: port)
      iex> Aldis.Client.send(client, "hello")
      {:ok, 1}
      iex> Aldis.Client.send_many(client, ["a", "b", "c"])
      {:ok, 4}
      iex> Aldis.Client.flush(client, 5_000)
      :ok
      iex> Aldis.Client.request(client, "anybody there?", 5_000)
      {:ok, "anybody there?"}
      iex> Aldis.Client.drain(client, 5_000)
      :ok
      iex> Aldis.Server.stop_listener(:doc_client)
      :ok

  Messages are numbered from 1, sent in batches, kept until the server has acknowledged them, and sent again over a new
  connection. `others: [{'orders-2.example', 7100}]` names more servers with the same log, to which the client goes when one is lost.
  With `notify: pid` a process gets `{:aldis_client, client, event}`; events are those of
  `t::aldis_client.event/0`. Options are a keyword list or a map of what `:aldis_client` says; the host may be a binary.
  Wrong ones are an error that says how they would be right:

      iex> {:error, {:bad_option, text}} = Aldis.Client.start_link(host: "localhost")
      iex> text
      "port is missing: a number from 1 to 65535 is wanted, e.g. port => 7100"
  """

  @type client() :: :aldis_client.client()
  @type options :: keyword() | map()

  @doc "A child of a supervisor: the options of `start_link/1`, in a function, so that reports do not show secrets."
  @spec child_spec(options()) :: Supervisor.child_spec()
  def child_spec(options) do
    options = Map.new(options)

    %{
      id: Map.get(options, :name, __MODULE__),
      start: {__MODULE__, :start_link, [fn -> options end]}
    }
  end

  @doc "Starts a client, which connects in the background. The options may be a function that gives them."
  @spec start_link(options() | (() -> options())) :: {:ok, pid()} | {:error, term()}
  def start_link(sealed) when is_function(sealed, 0), do: start_link(sealed.())

  def start_link(options) do
    options |> Map.new(&host/1) |> :aldis_client.start_link()
  end

  defp host({:host, host}) when is_binary(host), do: {:host, String.to_charlist(host)}
  defp host(option), do: option

  @doc "Sends a message: its number. Waits `timeout` ms at most while the queue is full."
  @spec send(client(), iodata(), timeout()) ::
          {:ok, pos_integer()} | {:error, :timeout | :too_large | :closing}
  def send(client, message, timeout \\ 5_000), do: :aldis_client.send(client, message, timeout)

  @doc "Sends messages, all or none: the number of the last."
  @spec send_many(client(), [iodata(), ...], timeout()) ::
          {:ok, pos_integer()} | {:error, :timeout | :too_large | :closing}
  def send_many(client, messages, timeout \\ 5_000),
    do: :aldis_client.send_many(client, messages, timeout)

  @doc """
  An empty batch in the caller's process, which costs a tenth of a `send/2` for each message: see `:aldis_client_batch`.

      batch = Aldis.Client.batch(client)
      {:ok, batch} = Aldis.Client.add("hello", batch)
      {:ok, 1, batch} = Aldis.Client.push(batch)
  """
  @spec batch(client(), %{
          optional(:messages) => pos_integer(),
          optional(:bytes) => pos_integer()
        }) :: :aldis_client_batch.batch()
  defdelegate batch(client, bounds \\ %{}), to: :aldis_client_batch, as: :new

  @doc "Adds a message to a batch, which goes to the client when it is full."
  @spec add(iodata(), :aldis_client_batch.batch()) ::
          {:ok, :aldis_client_batch.batch()} | {:error, :timeout | :too_large | :closing}
  defdelegate add(message, batch), to: :aldis_client_batch

  @doc "Gives the client what a batch has: the number of its last message, or `:none`."
  @spec push(:aldis_client_batch.batch()) ::
          {:ok, pos_integer() | :none, :aldis_client_batch.batch()}
          | {:error, :timeout | :too_large | :closing}
  defdelegate push(batch), to: :aldis_client_batch

  @doc "Waits until all that was sent so far is acknowledged; after `:timeout` stands what it waited for, in words."
  @spec flush(client(), timeout()) :: :ok | {:error, {:timeout, String.t()}}
  defdelegate flush(client, timeout), to: :aldis_client

  @doc "Asks the server, and waits for its answer at most `deadline` ms. Requests are not sent again."
  @spec request(client(), iodata(), pos_integer()) :: {:ok, binary()} | {:error, term()}
  defdelegate request(client, bytes, deadline), to: :aldis_client

  @doc """
  Wants what comes to a topic from a sequence on (0: from now on), at most `credit` messages beyond what is consumed. The
  caller gets `{:aldis_client, client, {:pushed, subscription, first, messages}}`. `:bad_topic`: it has more than 1,024 bytes.
  """
  @spec subscribe(client(), String.t(), non_neg_integer(), non_neg_integer()) ::
          {:ok, pos_integer()} | {:error, :bad_topic}
  defdelegate subscribe(client, topic, from, credit), to: :aldis_client

  @doc "The subscriber is done with all up to `consumed`, and takes `credit` messages beyond."
  @spec consumed(client(), pos_integer(), non_neg_integer(), non_neg_integer()) :: :ok
  defdelegate consumed(client, subscription, consumed, credit), to: :aldis_client

  @doc "Ends a subscription."
  @spec unsubscribe(client(), pos_integer()) :: :ok
  defdelegate unsubscribe(client, subscription), to: :aldis_client

  @doc "Takes nothing more, waits until all is acknowledged, and stops."
  @spec drain(client(), timeout()) :: :ok | {:error, :timeout}
  defdelegate drain(client, timeout), to: :aldis_client

  @doc "Stops at once; what is not acknowledged may be lost."
  @spec stop(client()) :: :ok
  defdelegate stop(client), to: :aldis_client

  @doc "How it stands: connected or not, how much is kept and outstanding."
  @spec info(client()) :: :aldis_client.info()
  defdelegate info(client), to: :aldis_client
end
