defmodule Aldis.ClientTest do
  use ExUnit.Case

  defmodule Echo do
    use Aldis.Handler

    @impl true
    def handle_batch(_batch, state), do: {:ok, state}

    @impl true
    def handle_request(bytes, state), do: {:reply, bytes, state}
  end

  doctest Aldis.Client

  @tag :tmp_dir
  test "a supervised client, log and listener", %{tmp_dir: folder} do
    start_supervised!({:aldis_log, %{name: :client_test_log, folder: folder}})

    start_supervised!(
      {Aldis.Server, name: :client_test, port: 0, sink: {:aldis_log, :client_test_log}}
    )

    %{port: port} = Aldis.Server.info(:client_test)

    start_supervised!(
      {Aldis.Client,
       name: :client_test_client,
       host: "localhost",
       port: port,
       durability: :durable,
       notify: self()}
    )

    assert {:ok, 1} = Aldis.Client.send(:client_test_client, ["kept", " well"])
    assert_receive {:aldis_client, _, {:acked, 1}}, 5_000

    assert [%{message: "kept well", offset: 1}] =
             Enum.to_list(Aldis.Log.stream(:client_test_log, 1))
  end
end
