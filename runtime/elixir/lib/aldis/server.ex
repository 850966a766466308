defmodule Aldis.Server do
  @moduledoc """
  Listeners that receive acknowledged messages over TCP or TLS: the Elixir face of `:aldis_server`.

  In a supervision tree:

      children = [
        {Aldis.Server, name: :orders, port: 7100, handler: {MyApp.Orders, []}}
      ]

  or started and stopped by hand:

      iex> {:ok, _} = Aldis.Server.start_listener(:doc, port: 0, handler: Aldis.ServerTest.Counting)
      iex> %{connections: 0, mode: :aldis} = Aldis.Server.info(:doc)
      iex> Aldis.Server.stop_listener(:doc)
      :ok

  Options are a keyword list or a map of what `t::aldis_listener_options.options/0` says. Wrong ones are an error that
  says how they would be right:

      iex> {:error, {:options, text}} = Aldis.Server.start_listener(:doc, port: 0, handler: Aldis.ServerTest.Counting, mod: :aldis)
      iex> text
      "there is no option mod; did you mean mode?"

  A handler is a module that does `use Aldis.Handler`.
  """

  @type name :: atom()
  @type options :: keyword() | map()

  @doc "A child of a supervisor: the options of `start_listener/2`, with the listener's `:name` among them."
  @spec child_spec(options()) :: Supervisor.child_spec()
  def child_spec(options) do
    {name, options} = options |> Map.new() |> Map.pop!(:name)
    :aldis_server.child_spec({name, options})
  end

  @doc "Starts a listener below the application `:aldis`."
  @spec start_listener(name(), options()) :: {:ok, pid()} | {:error, term()}
  def start_listener(name, options), do: :aldis_server.start_listener(name, Map.new(options))

  @doc "Stops a listener of `start_listener/2`; its connections get their last acks."
  @spec stop_listener(name()) :: :ok | {:error, :not_found}
  defdelegate stop_listener(name), to: :aldis_server

  @doc "Lets nobody in, and all who are connected finish, within `ms`: `{:ok, left}` did not."
  @spec drain(name(), non_neg_integer()) :: {:ok, non_neg_integer()} | {:error, :not_found}
  defdelegate drain(name, ms), to: :aldis_server

  @doc "All listeners by name: see `info/1`."
  @spec info() :: %{name() => map()}
  defdelegate info(), to: :aldis_server

  @doc "A listener's port, mode, connections and metrics."
  @spec info(name()) :: map() | {:error, :not_found}
  defdelegate info(name), to: :aldis_server

  @doc "A listener's connections: who, since when, how many messages and bytes."
  @spec connections(name()) :: [map()] | {:error, :not_found}
  defdelegate connections(name), to: :aldis_server

  @doc "Closes one connection, by its `pid`, after acking what it has sent."
  @spec close_connection(name(), pid()) :: :ok | {:error, :not_found}
  defdelegate close_connection(name, pid), to: :aldis_server

  @doc "Pushes messages to a subscriber; `subscription` is what `handle_subscribe/3` got."
  @spec push(:aldis_handler.subscription(), [iodata()]) :: :ok | {:error, :slow | :too_large}
  defdelegate push(subscription, messages), to: :aldis_server

  @doc "Asks the client of a connection, and waits for its answer at most `timeout` ms."
  @spec request(pid(), iodata(), pos_integer()) ::
          {:ok, binary()} | {:error, :too_large | {term(), binary()}}
  defdelegate request(connection, bytes, timeout), to: :aldis_server

  @doc "Answers a request that `handle_request/3` left open."
  @spec reply(:aldis_handler.from(), {:ok, iodata()} | {:error, String.t()}) :: :ok
  defdelegate reply(from, answer), to: :aldis_server
end
