defmodule Aldis.Etf.CheckTest do
  # Tracing of calls has one user.
  use ExUnit.Case, async: false
  doctest Aldis.Etf.Check

  alias Aldis.Etf.Check
  alias Phoenix.ChannelTest.NoopSerializer
  alias Phoenix.Socket.{Broadcast, Message, Reply}

  defmodule Closed do
    defstruct a: 1
  end

  defmodule Open do
    @derive Aldis.Etf.Encoder
    defstruct inner: %Closed{}
  end

  defmodule ByJason do
    defstruct []

    defimpl Jason.Encoder do
      def encode(_, _), do: "{}"
    end
  end

  test "all problems of a term, those in converted structs too" do
    term = %{
      a: [%Closed{}, 1, {:bytes, <<255>>}],
      b: %Open{},
      c: <<255>>,
      d: [1 | 2],
      e: <<1::1>>,
      f: %{1.5 => %ByJason{}, {1} => 1}
    }

    closed = "%Aldis.Etf.CheckTest.Closed{}"

    found = [
      {[:a, 0], closed},
      {[:b, :inner], closed},
      {[:c], "no UTF-8"},
      {[:d], "an improper list"},
      {[:e], "<<1::size(1)>>"},
      {[:f], "the key {1}"}
    ]

    assert Check.problems(term, fallback: Jason) == found
    assert {[:f, 1.5], "%Aldis.Etf.CheckTest.ByJason{}"} in Check.problems(term)
  end

  test "what it finds is what encode! refuses" do
    for term <- [%{a: 1}, [{:bytes, ""}], %{1.5 => ~D[2024-01-01]}, %Open{inner: nil}] do
      assert Check.problems(term) == []
      assert is_binary(Aldis.Etf.encode!(term))
    end

    for term <- [{1}, [self()], %{{1} => 1}, %Open{}, <<255>>, [1 | 2], %{a: {:bytes, 1}}] do
      assert [_] = Check.problems(term)
      assert_raise ArgumentError, fn -> Aldis.Etf.encode!(term) end
    end
  end

  test "messages of other processes, as tests push them" do
    watcher = Check.watch()

    for _ <- 1..3 do
      Task.await(
        Task.async(fn ->
          NoopSerializer.fastlane!(%Broadcast{topic: "a", event: "e", payload: %{x: %Closed{}}})
        end)
      )
    end

    NoopSerializer.encode!(%Reply{topic: "b", payload: %{at: ~D[2024-02-29]}})
    NoopSerializer.encode!(%Message{topic: "b", event: "f", payload: {:binary, <<1>>}})
    NoopSerializer.encode!(:no_message)

    assert Check.found(watcher) == [
             %{
               what: "%Aldis.Etf.CheckTest.Closed{}",
               times: 3,
               topic: "a",
               event: "e",
               path: [:x]
             }
           ]

    NoopSerializer.encode!(%Message{topic: "b", event: "f", payload: %{x: %Closed{}}})
    assert Check.found(Check.watch()) == []
  end

  @tag :tmp_dir
  test "mix aldis.etf.check runs a project's tests", %{tmp_dir: folder} do
    File.mkdir_p!(Path.join(folder, "test"))

    File.write!(Path.join(folder, "mix.exs"), """
    defmodule Shop.MixProject do
      use Mix.Project
      # Mix would take out of the code path what no dependency brings.
      def project, do: [app: :shop, version: "0.1.0", prune_code_paths: false]
    end
    """)

    File.write!(Path.join([folder, "test", "test_helper.exs"]), "ExUnit.start()")

    File.write!(Path.join([folder, "test", "shop_test.exs"]), """
    defmodule ShopTest do
      use ExUnit.Case

      test "pushes" do
        message = %Phoenix.Socket.Message{topic: "room:1", event: "new", payload: %{at: %URI{}}}
        Phoenix.ChannelTest.NoopSerializer.encode!(message)
      end
    end
    """)

    run = fn ->
      System.cmd(
        "elixir",
        ["-pa", Path.dirname(:code.which(Check)), "-S", "mix", "aldis.etf.check"],
        cd: folder,
        env: [{"MIX_ENV", "test"}],
        stderr_to_stdout: true
      )
    end

    {output, status} = run.()
    # In the words of ExUnit, and of Elixir 1.20's.
    assert output =~ ~r/1 test, 0 failures|Result: 1 passed/
    assert output =~ ~S(%URI{} at [:at] of "new" on "room:1")
    assert status == 1

    file = Path.join([folder, "test", "shop_test.exs"])
    File.write!(file, file |> File.read!() |> String.replace("%URI{}", "1"))
    assert {output, 0} = run.()
    assert output =~ "Every payload can be sent as a term."
  end
end
