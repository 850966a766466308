# ==== feature.ex
# [as in the base]

defmodule Feature.Side do
  @moduledoc """
  The enum `feature.Side` of the schema.
  """

  @type t :: :buy | :sell | integer()
end

defmodule Feature.Message do
# [as in the base]
      Layout in sbe:   offset    size  field
                            0       1  side
                                    1  (total, as this schema's writers write it)
  """

  defstruct side: :buy

  @type t :: %__MODULE__{side: Feature.Side.t() | nil}

# [as in the base]
  @spec get(atom(), binary()) :: {:ok, term()} | {:error, :aldis.reason()}
  def get(:side, binary), do: Feature.Codec.message_side(binary)
  def get(field, _), do: :aldis.no_field(field, [:side])

# [as in the base]

  @doc "The field `side` of a message."
  @spec get_side(binary()) :: {:ok, Feature.Side.t() | nil} | {:error, :aldis.reason()}
  def get_side(binary), do: Feature.Codec.message_side(binary)
end
# [as in the base]

  @compile {:inline, fast_side_to_number: 1}

  # Feature.Side

  def number_side do
    {:number, &Feature.Codec.side_to_number/2, &Feature.Codec.side_from_number/1, :uint8}
  end

  def side_to_number(:buy, _), do: 1
  def side_to_number(:sell, _), do: 2
  def side_to_number(unknown, path), do: :aldis_check.int(unknown, 0, 255, path)

  def side_from_number(1), do: :buy
  def side_from_number(2), do: :sell
  def side_from_number(unknown), do: unknown

  def json_side do
    {
      :enum,
      &Feature.Codec.side_to_number/2,
      &Feature.Codec.side_from_number/1,
      :uint8,
      %{:buy => "\"buy\"", :sell => "\"sell\""},
      %{"buy" => 1, "sell" => 2}
    }
  end

  # Feature.Message

  def new_message, do: %Feature.Message{side: :buy}

# [as in the base]

  def run_message do
    {:struct, %Feature.Message{}, 1, :little, [{0, :side, :side, &Feature.Codec.number_side/0}]}
  end

  @dialyzer {:no_match, fast_encode_message: 1}
  defp fast_encode_message(%Feature.Message{side: side}) do
    <<1::little-16, 1::little-16, 1::little-16, 0::little-16, fast_side_to_number(side)::8>>
  end
# [as in the base]

  @dialyzer {:no_match, fast_side_to_number: 1}
  defp fast_side_to_number(:buy), do: 1
  defp fast_side_to_number(:sell), do: 2
  defp fast_side_to_number(_), do: :erlang.throw(:unusual)

  defp encode_message_carefully(value) do
    :aldis_fault.written(
      <<1::little-16, 1::little-16, 1::little-16, 0::little-16>>,
      &write_message/2,
# [as in the base]
  defp fast_decode_message(<<
         1::little-16,
         1::little-16,
         1::little-16,
         _::little-16,
         side::8,
         rest::binary
       >>) do
    {:ok, %Feature.Message{side: side_from_number(side)}, rest}
  end
# [as in the base]

  def message_side(bin), do: message_get(:side, bin)

# [as in the base]

  defp fields_of_message, do: [:side]

# [as in the base]
  def message_get(
        :side,
        <<1::little-16, 1::little-16, 1::little-16, _::little-16, side::8, _::binary>>
      ) do
    {:ok, side_from_number(side)}
  end
# [as in the base]
      %Feature.Message{},
      [:side],
      :none,
      [{:side, "side", "{\"side\":", &Feature.Codec.json_side/0, [nil], [], []}]
    }
# [as in the base]

  defp about(:Side), do: {:enum, [:buy, :sell], :uint8}
  defp about(:Message), do: {:record, [{:side, {:named, :Side}}]}
end
