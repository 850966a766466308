defmodule Aldis.ValuesTest do
  use ExUnit.Case, async: true

  doctest Aldis.Error
  doctest Aldis.Values

  test "sets and lists of their elements" do
    assert Aldis.Values.set([2, 1]) == MapSet.new([1, 2])
    assert Aldis.Values.elements(MapSet.new([1])) == [1]
    assert Aldis.Values.elements(:none) == :none
  end

  test "decimals of the library, whose exponents may be above zero" do
    decimal = fn sign, coef, exp -> %{__struct__: Decimal, sign: sign, coef: coef, exp: exp} end
    assert Aldis.Values.parts(decimal.(-1, 110, -2)) == {:decimal, -1, 110, 2}
    assert Aldis.Values.parts(decimal.(1, 5, 3)) == {:decimal, 1, 5000, 0}
    assert Aldis.Values.parts(decimal.(1, 0, 9_000_000)) == {:decimal, 1, 0, 0}
    # A value beyond the wire's range is refused by the writer, without being made first.
    assert {:decimal, 1, huge, 0} = Aldis.Values.parts(decimal.(1, 1, 9_000_000))

    assert catch_throw(:aldis_decimal.encode({:decimal, 1, huge, 0}, [])) ==
             {:aldis_fault, :out_of_range, :none, []}

    assert Aldis.Values.parts(decimal.(1, :NaN, 0)) == decimal.(1, :NaN, 0)
  end

  test "octets are no text of a uuid" do
    assert catch_throw(:aldis_check.uuid(Aldis.Values.octets(<<0::128>>), [:id])) ==
             {:aldis_fault, :bad_value, :none, [:id]}
  end

  test "every code has its words" do
    for code <-
          ~w(bad_pointer truncated bad_count bad_text bad_value too_deep too_large unknown_message bad_json)a do
      error = Aldis.Error.new({code, :-, ""})
      refute Exception.message(error) =~ "could not be read or written"
    end
  end
end
