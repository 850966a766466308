defmodule Aldis.StreamTest do
  use ExUnit.Case, async: true

  doctest Aldis.Stream

  test "what is no framing" do
    assert_raise ArgumentError, fn -> Aldis.Stream.new(:utf8) end
    assert_raise ArgumentError, fn -> Aldis.Stream.new(:fbe, 0) end
  end

  test "chunks that end within a message" do
    assert_raise RuntimeError, ~r/within a message, of which it has 2 bytes/, fn ->
      [<<1::16, "a">>, <<0, 5>>] |> Aldis.Stream.messages(:u16be) |> Stream.run()
    end
  end
end

defmodule Aldis.StreamedSchemasTest do
  use ExUnit.Case, async: true

  # The modules are made while the tests run.
  @compile {:no_warn_undefined, [Streamed.Fbe, Streamed.Sbe]}
  # Needs the command: see test_helper.exs.
  @moduletag :aldis

  @schemas Path.expand("../../../../conformance/schemas", __DIR__)

  setup_all do
    for {module, file} <- [Fbe: "market.fbe", Sbe: "market.xml", Capnp: "market.capnp"] do
      options = [schema: Path.join(@schemas, file)]

      Code.compile_string(
        "defmodule Streamed.#{module} do\n  use Aldis, #{inspect(options)}\nend\n",
        "streamed.ex"
      )
    end

    :ok
  end

  test "FBE, whose messages begin with their size" do
    structs = for name <- ["Balance", "Account", "Level"], do: new(Fbe, name)
    cut_anywhere(structs, :fbe, & &1.__struct__.encode(&1), &Streamed.Fbe.decode/1)
    cut_anywhere(structs, :fbe, & &1.__struct__.encode_final(&1), &Streamed.Fbe.decode_final/1)
  end

  test "SBE, in every framing" do
    structs = [new(Sbe, "OrderBook"), new(Sbe, "Account"), new(Sbe, "OrderBook")]

    for framing <- [:u16le, :u16be, :u32le, :u32be, :sofh] do
      cut_anywhere(structs, framing, & &1.__struct__.encode(&1), &Streamed.Sbe.decode/1)
    end
  end

  test "Cap'n Proto, packed and not" do
    level = new(Capnp, "Level")
    structs = [level, %{level | orders: 7}, %{level | price: -1, size: 2}]
    module = level.__struct__
    cut_anywhere(structs, :capnp, &module.encode/1, &module.decode/1)
    cut_anywhere(structs, :capnp_packed, &module.encode_packed/1, &module.decode_packed/1)
  end

  defp new(format, name), do: Module.concat(["Streamed", format, name]).new()

  # However a stream is cut in two, its structs come out; and so they do byte by byte.
  defp cut_anywhere(structs, framing, encode, decode) do
    stream =
      structs
      |> Enum.map(fn struct ->
        {:ok, iodata} = Aldis.Stream.encode(struct, encode, framing)
        iodata
      end)
      |> IO.iodata_to_binary()

    # A struct that is read says what the wire says, which may be more than `new` did.
    {:ok, wanted, _} = Aldis.Stream.decode(Aldis.Stream.new(framing), stream, decode)
    assert Enum.map(wanted, & &1.__struct__) == Enum.map(structs, & &1.__struct__)

    for at <- 0..byte_size(stream) do
      before = binary_part(stream, 0, at)
      behind = binary_part(stream, at, byte_size(stream) - at)
      {:ok, first, receiver} = Aldis.Stream.decode(Aldis.Stream.new(framing), before, decode)
      {:ok, second, receiver} = Aldis.Stream.decode(receiver, behind, decode)
      assert first ++ second == wanted
      assert Aldis.Stream.rest(receiver) == ""
    end

    bytes = for <<byte <- stream>>, do: <<byte>>
    assert bytes |> Aldis.Stream.messages(framing) |> Enum.map(&elem(decode.(&1), 1)) == wanted
  end
end
