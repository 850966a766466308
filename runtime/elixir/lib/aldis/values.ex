defmodule Aldis.Values do
  @moduledoc """
  Values that Elixir has its own types for, and helpers for those that it has not.

  Generated codecs call these functions for uuids (strings), sets (`MapSet`) and decimals (`Decimal` where that library
  is there when this package is compiled, else a tuple). Times are nanoseconds since 1970 in structs; `to_datetime/1` and
  `from_datetime/1` convert them.
  """

  @typedoc "A `Decimal`, or `{:decimal, sign, coefficient, scale}` without that library."
  @type decimal :: struct() | :aldis.decimal()

  @doc """
  The text of a uuid's 16 octets.

      iex> Aldis.Values.uuid(<<0x123E4567E89B12D3A456426655440000::128>>)
      "123e4567-e89b-12d3-a456-426655440000"
  """
  @spec uuid(:aldis.uuid()) :: String.t()
  def uuid(
        <<a::binary-size(4), b::binary-size(2), c::binary-size(2), d::binary-size(2), e::binary>>
      ) do
    <<hex(a)::binary, ?-, hex(b)::binary, ?-, hex(c)::binary, ?-, hex(d)::binary, ?-,
      hex(e)::binary>>
  end

  defp hex(octets), do: Base.encode16(octets, case: :lower)

  @doc """
  The octets of a uuid's text. What is no uuid stays as it is, and writers refuse it.

      iex> Aldis.Values.octets("123E4567-e89b-12d3-a456-426655440000")
      <<0x123E4567E89B12D3A456426655440000::128>>
      iex> Aldis.Values.octets("no uuid")
      "no uuid"
  """
  @spec octets(term()) :: term()
  def octets(text) when is_binary(text) and byte_size(text) == 36 do
    case :aldis_uuid.from_text(text) do
      {:ok, octets} -> octets
      :error -> text
    end
  end

  # Sixteen octets are no text of a uuid: writers must not take them for one.
  def octets(octets) when is_binary(octets) and byte_size(octets) == 16, do: :octets
  def octets(other), do: other

  @doc "The set of a list."
  @spec set([value]) :: MapSet.t(value) when value: term()
  def set(list), do: MapSet.new(list)

  @doc "The elements of a set. What is no set stays as it is, and writers refuse what is no list either."
  @spec elements(term()) :: term()
  def elements(%MapSet{} = set), do: MapSet.to_list(set)
  def elements(other), do: other

  if Code.ensure_loaded?(Decimal) do
    @doc "The `Decimal` of a decimal's parts."
    @spec decimal(:aldis.decimal()) :: decimal()
    def decimal({:decimal, sign, coefficient, scale}) do
      struct!(Decimal, sign: sign, coef: coefficient, exp: -scale)
    end
  else
    @doc "The parts of a decimal, since `Decimal` is not there."
    @spec decimal(:aldis.decimal()) :: decimal()
    def decimal(parts), do: parts
  end

  @doc """
  The parts of a decimal, whether it is a `Decimal` or a tuple. What is neither stays as it is, and writers refuse it.

      iex> Aldis.Values.parts({:decimal, 1, 110, 2})
      {:decimal, 1, 110, 2}
  """
  @spec parts(term()) :: term()
  def parts(%{__struct__: Decimal, sign: sign, coef: coefficient, exp: exponent})
      when is_integer(coefficient) do
    # The wire has no exponents above zero; 10^29 is beyond every coefficient that it has.
    cond do
      exponent <= 0 -> {:decimal, sign, coefficient, -exponent}
      coefficient == 0 -> {:decimal, sign, 0, 0}
      true -> {:decimal, sign, coefficient * Integer.pow(10, min(exponent, 29)), 0}
    end
  end

  def parts(other), do: other

  @doc """
  The time of a timestamp, in microseconds: what `DateTime` has no room for is cut off.

      iex> Aldis.Values.to_datetime(1_700_000_000_123_456_789)
      ~U[2023-11-14 22:13:20.123456Z]
  """
  @spec to_datetime(:aldis.timestamp()) :: DateTime.t()
  def to_datetime(nanoseconds), do: DateTime.from_unix!(div(nanoseconds, 1000), :microsecond)

  @doc """
  The timestamp of a time from 1970 on.

      iex> Aldis.Values.from_datetime(~U[2023-11-14 22:13:20.123456Z])
      1_700_000_000_123_456_000
  """
  @spec from_datetime(DateTime.t()) :: :aldis.timestamp()
  def from_datetime(%DateTime{} = time), do: DateTime.to_unix(time, :nanosecond)
end
