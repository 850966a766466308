# ==== feature.ex
# [as in the base]

defmodule Feature.Price do
  @moduledoc """
  The record `feature.Price` of the schema.
  """

  defstruct mantissa: 0, exponent: -2

  @type t :: %__MODULE__{mantissa: :aldis.int64() | nil, exponent: :aldis.int8()}

  @doc "The schema's defaults."
  @spec new() :: t()
  def new, do: Feature.Codec.new_price()
end

defmodule Feature.Message do
# [as in the base]
      Layout in sbe:   offset    size  field
                            0       8  price.mantissa
                            8       0  price.exponent, constant
                                    8  (total, as this schema's writers write it)
  """

  defstruct price: %Feature.Price{}

  @type t :: %__MODULE__{price: Feature.Price.t() | nil}

# [as in the base]
  @spec get(atom(), binary()) :: {:ok, term()} | {:error, :aldis.reason()}
  def get(:price, binary), do: Feature.Codec.message_price(binary)
  def get(field, _), do: :aldis.no_field(field, [:price])

# [as in the base]

  @doc "The field `price` of a message."
  @spec get_price(binary()) :: {:ok, Feature.Price.t() | nil} | {:error, :aldis.reason()}
  def get_price(binary), do: Feature.Codec.message_price(binary)
end
# [as in the base]

  defguardp is_int64(value)
            when is_integer(value) and
                   ((value >= 0 and value <= 576_460_752_303_423_487) or
                      (value >= -9_223_372_036_854_775_808 and value <= 9_223_372_036_854_775_807))

  # Feature.Price

  def new_price, do: %Feature.Price{mantissa: 0}

  def run_price do
    {
      :struct,
      %Feature.Price{},
      8,
      :little,
      [{0, :mantissa, :mantissa, :int64}, {8, :exponent, :exponent, {:constant, -2}}]
    }
  end

  def json_price do
    {
      :struct,
      %Feature.Price{},
      [:mantissa, :exponent],
      :none,
      [
        {:mantissa, "mantissa", "{\"mantissa\":", :int64, [nil], [], []},
        {:exponent, "exponent", ",\"exponent\":", :int8, {:same, -2}, [], [-2]}
      ]
    }
  end

  # Feature.Message

  def new_message, do: %Feature.Message{price: new_price()}

# [as in the base]

  def run_message do
    {:struct, %Feature.Message{}, 8, :little, [{0, :price, :price, &Feature.Codec.run_price/0}]}
  end

  @dialyzer {:no_match, fast_encode_message: 1}
  defp fast_encode_message(%Feature.Message{
         price: %Feature.Price{mantissa: price_mantissa, exponent: price_exponent}
       })
       when is_int64(price_mantissa) and price_exponent === -2 do
    <<8::little-16, 1::little-16, 1::little-16, 0::little-16, price_mantissa::little-64>>
  end
# [as in the base]
    :aldis_fault.written(
      <<8::little-16, 1::little-16, 1::little-16, 0::little-16>>,
      &write_message/2,
# [as in the base]
  defp fast_decode_message(<<
         8::little-16,
         1::little-16,
# [as in the base]
         _::little-16,
         price_mantissa::little-signed-64,
         rest::binary
       >>) do
    {:ok, %Feature.Message{price: %Feature.Price{mantissa: price_mantissa}}, rest}
  end
# [as in the base]

  def message_price(bin), do: message_get(:price, bin)

# [as in the base]

  defp fields_of_message, do: [:price]

# [as in the base]
  def message_get(
        :price,
        <<
          8::little-16,
          1::little-16,
          1::little-16,
          _::little-16,
          price_mantissa::little-signed-64,
          _::binary
        >>
      ) do
    {:ok, %Feature.Price{mantissa: price_mantissa}}
  end
# [as in the base]
      %Feature.Message{},
      [:price],
      :none,
      [{:price, "price", "{\"price\":", &Feature.Codec.json_price/0, [nil], [], []}]
    }
# [as in the base]

  defp about(:Price), do: {:record, [{:mantissa, :int64}, {:exponent, {:constant, :int8}}]}
  defp about(:Message), do: {:record, [{:price, {:named, :Price}}]}
end
