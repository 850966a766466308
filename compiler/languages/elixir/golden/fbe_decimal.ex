# ==== feature.ex
# [as in the base]
  @moduledoc """
  A number of 16 bytes.
  """
# [as in the base]
                            4       4  (type)
                            8      16  price
                                   24  (total, as this schema's writers write it)
  """

  defstruct price: Aldis.Values.decimal({:decimal, 1, 0, 0})

  @type t :: %__MODULE__{price: Aldis.Values.decimal()}

# [as in the base]
  @spec get(atom(), binary()) :: {:ok, term()} | {:error, :aldis.reason()}
  def get(:price, binary), do: Feature.Codec.message_price(binary)
  def get(field, _), do: :aldis.no_field(field, [:price])

# [as in the base]

  @doc "The field `price` of a message."
  @spec get_price(binary()) :: {:ok, Aldis.Values.decimal()} | {:error, :aldis.reason()}
  def get_price(binary), do: Feature.Codec.message_price(binary)
end
# [as in the base]

  def new_message, do: %Feature.Message{price: Aldis.Values.decimal({:decimal, 1, 0, 0})}

# [as in the base]
      %Feature.Message{},
      24,
      :little,
      [
        {0, <<24::little-32>>},
        {4, <<1::little-32>>},
        {8, :price, :price, {:converted, &Aldis.Values.parts/1, :decimal}}
      ]
    }
# [as in the base]
  @dialyzer {:no_match, fast_encode_message: 1}
  defp fast_encode_message(%Feature.Message{price: price}) do
    frame_size = :aldis_check.frame(32)

    <<
      frame_size::little-32,
      8::little-32,
      24::little-32,
      1::little-32,
      :aldis_decimal.encode(Aldis.Values.parts(price), [])::binary-size(16)
    >>
  end
# [as in the base]
    {block, _rest} =
      :aldis_wire.stated_block(bin, extent, 8, {0, [{8, 24, 24, 0, [:price]}]}, path)

    budget1 = :aldis_wire.charge_block(budget, extent, [], [{24, 4}], bin, path)
    :aldis_wire.check_type(type_id, 1, bin, path)

    {
      %Feature.Message{
        price:
          case block do
            <<_::binary-size(8), price::binary-size(16), _::binary>> ->
              Aldis.Values.decimal(:aldis_decimal.decode(price, path))

            _ ->
              Aldis.Values.decimal({:decimal, 1, 0, 0})
          end
      },
      budget1
    }
  end
# [as in the base]

  defp fast_decode_message(<<
# [as in the base]
         8::little-32,
         24::little-32,
         1::little-32,
         price::binary-size(16),
         rest::binary
       >>)
       when frame_size === 32 do
    {:ok, %Feature.Message{price: Aldis.Values.decimal(:aldis_decimal.decode(price, []))}, rest}
  end
# [as in the base]

  def message_price(bin), do: message_get(:price, bin)

  defp view_message(:price, bin, _depth, _budget, path) do
    block =
# [as in the base]

    case block do
      <<_::binary-size(8), price::binary-size(16), _::binary>> ->
        Aldis.Values.decimal(:aldis_decimal.decode(price, path))

      _ ->
        Aldis.Values.decimal({:decimal, 1, 0, 0})
    end
  end

  defp fields_of_message, do: [:price]

# [as in the base]

  def message_get(field, bin), do: message_get_carefully(field, bin, :default)
# [as in the base]
      %Feature.Message{},
      [:price],
      :none,
      [
        {
          :price,
          "price",
          "{\"price\":",
          {:converted, &Aldis.Values.decimal/1, &Aldis.Values.parts/1, :decimal},
          [],
          [],
          {&Aldis.Values.decimal/1, [{:decimal, 1, 0, 0}]}
        }
      ]
    }
# [as in the base]

  defp about(:Message), do: {:record, [{:price, :decimal}]}
end
