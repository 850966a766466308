defmodule TradingTest do
  use ExUnit.Case, async: true

  alias Trading.Orders.Order

  doctest Trading

  test "what is written is read again, and secrets are not shown" do
    order = %Order{id: 1, symbol: "ACME", side: :sell, limit: 3, account: "secret"}
    assert {:ok, ^order, ""} = Order.decode(Order.encode!(order))
    refute inspect(order) =~ "secret"
    assert %Order{side: :buy, limit: nil, price: +0.0} = Order.new()
  end

  test "a wrong value is an error that says which, and an exception where one is asked for" do
    order = %Order{id: -1}
    assert {:error, {:out_of_range, :-, "id"}} = Order.encode(order)

    assert_raise Aldis.Error, ~r/^id: .* is not a whole number from 0 to /, fn ->
      Order.encode!(order)
    end

    assert_raise Aldis.Error, ~r/^size, byte 0: .*too early/, fn -> Order.decode!("") end
  end

  test "texts are parts of the message or copies, within limits, as options say" do
    order = %Order{symbol: String.duplicate("A", 100)}
    bytes = Order.encode!(order)
    assert {:ok, ^order = parts, ""} = Order.decode(bytes)
    assert {:ok, ^order = copies, ""} = Order.decode(bytes, copy: true)
    assert :binary.referenced_byte_size(parts.symbol) >= byte_size(bytes)
    assert :binary.referenced_byte_size(copies.symbol) == 100

    assert {:ok, ^order, ""} = Order.decode(bytes, limits: :reference)
    assert {:error, {:too_large, 0, ""}} = Order.decode(bytes, limits: 3)
    assert {:ok, "AAA" <> _} = Order.get(:symbol, bytes, limits: 1000, copy: true)

    assert_raise ArgumentError, ~r/there is no option copi; there .* copy/, fn ->
      Order.decode(bytes, copi: true)
    end
  end

  test "JSON goes both ways" do
    order = %Order{id: 1, symbol: "ACME", placed: 0}
    assert {:ok, ^order} = Order.from_json(Order.to_json!(order))
  end
end
