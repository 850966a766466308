# ==== feature.ex
# [as in the base]
  @moduledoc """
  Names of numbers.
  """
# [as in the base]
        offset    size  field
           0       2  side
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

defmodule Feature.Side do
  @moduledoc """
  The enum `Side` of the schema.
  """

  @type t :: :buy | :sell | integer()
end
# [as in the base]

  @compile {:inline, side_to_number: 2}

  # Feature.Message

  def new_message, do: %Feature.Message{side: :buy}

# [as in the base]
  @dialyzer {:no_match, write_message: 5}
  defp write_message(%Feature.Message{side: side}, _at, next, _depth, path) do
    {<<side_to_number(side, [:side | path])::little-16, 0::48>>, [], next}
  end
# [as in the base]

  def encode_message_iolist(%Feature.Message{side: side} = value) do
    {:ok, <<0::32, 2::little-32, 0::32, 1::little-32, side_to_number(side, [])::little-64>>}
  catch
    _, _ -> :aldis_nil.encode(:framed, &put_message/5, value)
  end
# [as in the base]
  defp read_message(bin, at, 8, 0, _message, _depth, budget, _path) do
    <<_::binary-size(bound(at)), side::little-16, _::binary>> = bin
    {%Feature.Message{side: side_from_number(side)}, budget}
  end
# [as in the base]
  defp read_message(bin, at, size, count, _message, _depth, budget, _path) do
    <<side::little-16, _::binary>> =
      :aldis_segments.sections(bin, at, size, count, 8, 0, [{0, 2}])

    {%Feature.Message{side: side_from_number(side)}, budget}
  end

  def decode_message(<<0::32, 2::little-32, 0::32, 1::little-32, side::little-16, _::48>>) do
    {:ok, %Feature.Message{side: side_from_number(side)}, ""}
  end
# [as in the base]
        1::little-32,
        side::little-16,
        _::48,
        rest::binary
      >>) do
    {:ok, %Feature.Message{side: side_from_number(side)}, rest}
  end
# [as in the base]

  def message_side(bin), do: message_get(:side, bin)

  defp view_message_side(bin, at, 8, 0, _message, _depth, budget, _path) do
    <<_::binary-size(bound(at)), side::little-16, _::binary>> = bin
    {side_from_number(side), budget}
  end

  defp view_message_side(bin, at, size, count, _message, _depth, budget, _path) do
    <<side::little-16, _::binary>> =
      :aldis_segments.sections(bin, at, size, count, 8, 0, [{0, 2}])

    {side_from_number(side), budget}
  end

  defp fields_of_message, do: [:side]

  def message_get(
        :side,
        <<0::32, 2::little-32, 0::32, 1::little-32, side::little-16, _::48, _::binary>>
      ) do
    {:ok, side_from_number(side)}
  end

  def message_get(:side, bin), do: :aldis_message.view(&view_message_side/8, bin)
  def message_get(field, _), do: :aldis.no_field(field, fields_of_message())

  def message_get(:side, bin, options) do
    :aldis_message.viewed(
      &view_message_side/8,
      fn given -> message_get(:side, given) end,
      bin,
# [as in the base]
      :object,
      ["side"],
      {:struct, %Feature.Message{}, [:side]},
      :record,
      [{:field, {:side, "side", "\"side\":", &Feature.Codec.json_side/0, [], [], [:buy]}, []}]
    }
# [as in the base]

  # Feature.Side

  def side_to_number(:buy, _), do: 0
  def side_to_number(:sell, _), do: 1
  def side_to_number(unknown, path), do: :aldis_check.int(unknown, 0, 65535, path)

  def side_from_number(0), do: :buy
  def side_from_number(1), do: :sell
  def side_from_number(unknown), do: unknown

  def json_side do
    {
      :enum,
      &Feature.Codec.side_to_number/2,
      &Feature.Codec.side_from_number/1,
      :uint16,
      %{:buy => "\"buy\"", :sell => "\"sell\""},
      %{"buy" => 0, "sell" => 1}
    }
  end

  # The whole schema
# [as in the base]

  defp about(:Message), do: {:record, [{:side, {:named, :Side}}]}
  defp about(:Side), do: {:enum, [:buy, :sell], :uint16}
end
