defmodule Aldis.ServerTest do
  use ExUnit.Case

  defmodule Counting do
    use Aldis.Handler

    @impl true
    def handle_batch(batch, test) do
      if is_pid(test), do: send(test, {:messages, Aldis.Batch.entries(batch)})
      {:ok, test}
    end
  end

  doctest Aldis.Server
  doctest Aldis.Batch

  test "a listener in a supervisor takes messages" do
    start_supervised!(
      {Aldis.Server, name: :mine, port: 0, mode: :sync_ack, handler: {Counting, self()}}
    )

    %{port: port} = Aldis.Server.info(:mine)
    {:ok, socket} = :gen_tcp.connect({127, 0, 0, 1}, port, [:binary, active: false])
    :ok = :gen_tcp.send(socket, <<7::64-little, 5::32-little, "hello">>)
    assert {:ok, <<7::64-little, 0::32>>} = :gen_tcp.recv(socket, 12, 5000)
    assert_receive {:messages, ["hello"]}
  end
end
