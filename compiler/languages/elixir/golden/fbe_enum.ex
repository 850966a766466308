# ==== feature.ex
# [as in the base]
  @moduledoc """
  Names of numbers.
  """
# [as in the base]

defmodule Feature.Side do
  @moduledoc """
  The enum `feature.Side` of the schema.
  """

  @type t :: :buy | :sell | integer()
end

defmodule Feature.Message do
# [as in the base]
                            4       4  (type)
                            8       1  side
                                    9  (total, as this schema's writers write it)
  """

  defstruct side: :buy

  @type t :: %__MODULE__{side: Feature.Side.t()}

# [as in the base]
  @spec get(atom(), binary()) :: {:ok, term()} | {:error, :aldis.reason()}
  def get(:side, binary), do: Feature.Codec.message_side(binary)
  def get(field, _), do: :aldis.no_field(field, [:side])

# [as in the base]

  @doc "The field `side` of a message."
  @spec get_side(binary()) :: {:ok, Feature.Side.t()} | {:error, :aldis.reason()}
  def get_side(binary), do: Feature.Codec.message_side(binary)
end
# [as in the base]

  @compile {:inline, fast_side_to_number: 1}

  # Feature.Side

  def number_side do
    {:number, &Feature.Codec.side_to_number/2, &Feature.Codec.side_from_number/1, :uint8}
  end

  def side_to_number(:buy, _), do: 0
  def side_to_number(:sell, _), do: 1
  def side_to_number(unknown, path), do: :aldis_check.int(unknown, 0, 255, path)

  def side_from_number(0), do: :buy
  def side_from_number(1), do: :sell
  def side_from_number(unknown), do: unknown

  def json_side do
    {
      :enum,
      &Feature.Codec.side_to_number/2,
      &Feature.Codec.side_from_number/1,
      :uint8,
      %{},
      %{"buy" => 0, "sell" => 1}
    }
  end

  # Feature.Message

  def new_message, do: %Feature.Message{side: :buy}

# [as in the base]
      %Feature.Message{},
      9,
      :little,
      [
        {0, <<9::little-32>>},
        {4, <<1::little-32>>},
        {8, :side, :side, &Feature.Codec.number_side/0}
      ]
    }
# [as in the base]
  @dialyzer {:no_match, fast_encode_message: 1}
  defp fast_encode_message(%Feature.Message{side: side}) do
    frame_size = :aldis_check.frame(17)

    <<
      frame_size::little-32,
      8::little-32,
      9::little-32,
      1::little-32,
      fast_side_to_number(side)::8
    >>
  end
# [as in the base]

  @dialyzer {:no_match, fast_side_to_number: 1}
  defp fast_side_to_number(:buy), do: 0
  defp fast_side_to_number(:sell), do: 1
  defp fast_side_to_number(_), do: :erlang.throw(:unusual)

  defp encode_message_carefully(value) do
# [as in the base]
    :aldis_wire.check_depth(depth, bin, path)
    {block, _rest} = :aldis_wire.stated_block(bin, extent, 8, {0, [{8, 9, 9, 0, [:side]}]}, path)
    budget1 = :aldis_wire.charge_block(budget, extent, [], [{9, 4}], bin, path)
    :aldis_wire.check_type(type_id, 1, bin, path)
    {%Feature.Message{side: in_message(:side, block)}, budget1}
  end
# [as in the base]

  defp in_message(:side, <<_::binary-size(8), side::8, _::binary>>), do: side_from_number(side)
  defp in_message(:side, _), do: :buy

# [as in the base]
         8::little-32,
         9::little-32,
         1::little-32,
         side::8,
         rest::binary
       >>)
       when frame_size === 17 do
    {:ok, %Feature.Message{side: side_from_number(side)}, rest}
  end
# [as in the base]

  def message_side(bin), do: message_get(:side, bin)

# [as in the base]

  defp fields_of_message, do: [:side]

# [as in the base]
  def message_get(
        :side,
        <<frame_size::little-32, 8::little-32, 9::little-32, 1::little-32, side::8, _::binary>> =
          bin
      )
      when frame_size >= 17 and frame_size <= byte_size(bin) do
    {:ok, side_from_number(side)}
  end
# [as in the base]
      %Feature.Message{},
      [:side],
      :none,
      [{:side, "side", "{\"side\":", &Feature.Codec.json_side/0, [], [], [:buy]}]
    }
# [as in the base]

  defp about(:Side), do: {:enum, [:buy, :sell], :uint8}
  defp about(:Message), do: {:record, [{:side, {:named, :Side}}]}
end
