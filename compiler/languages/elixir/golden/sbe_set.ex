# ==== feature.ex
# [as in the base]

defmodule Feature.Options do
  @moduledoc """
  The flags `feature.Options` of the schema.
  """

  @type t :: [:urgent | :hidden | {:unknown, pos_integer()}]
end

defmodule Feature.Message do
# [as in the base]
      Layout in sbe:   offset    size  field
                            0       1  options
                                    1  (total, as this schema's writers write it)
  """

  defstruct options: []

  @type t :: %__MODULE__{options: Feature.Options.t() | nil}

# [as in the base]
  @spec get(atom(), binary()) :: {:ok, term()} | {:error, :aldis.reason()}
  def get(:options, binary), do: Feature.Codec.message_options(binary)
  def get(field, _), do: :aldis.no_field(field, [:options])

# [as in the base]

  @doc "The field `options` of a message."
  @spec get_options(binary()) :: {:ok, Feature.Options.t() | nil} | {:error, :aldis.reason()}
  def get_options(binary), do: Feature.Codec.message_options(binary)
end
# [as in the base]

  import Bitwise

  # Feature.Options

  def number_options do
    {:number, &Feature.Codec.options_to_number/2, &Feature.Codec.options_from_number/1, :uint8}
  end

  def options_to_number([], _), do: 0
  def options_to_number([:urgent | rest], path), do: bor(1, options_to_number(rest, path))
  def options_to_number([:hidden | rest], path), do: bor(128, options_to_number(rest, path))

  def options_to_number([{:unknown, bits} | rest], path) do
    bor(:aldis_check.int(bits, 0, 255, path), options_to_number(rest, path))
  end

  def options_to_number(_, path), do: :aldis_check.wrong(path)

  def options_from_number(0), do: []

  def options_from_number(number) do
    names2 =
      case band(number, 126) do
        0 -> []
        unknown -> [{:unknown, unknown}]
      end

    names1 =
      case band(number, 128) do
        0 -> names2
        _ -> [:hidden | names2]
      end

    case band(number, 1) do
      0 -> names1
      _ -> [:urgent | names1]
    end
  end

  def json_options do
    {
      :flags,
      &Feature.Codec.options_to_number/2,
      &Feature.Codec.options_from_number/1,
      :uint8,
      %{"urgent" => 1, "hidden" => 128},
      true
    }
  end

  # Feature.Message

  def new_message, do: %Feature.Message{options: []}

# [as in the base]

  def run_message do
    {
      :struct,
      %Feature.Message{},
      1,
      :little,
      [{0, :options, :options, &Feature.Codec.number_options/0}]
    }
  end

  @dialyzer {:no_match, fast_encode_message: 1}
  defp fast_encode_message(%Feature.Message{options: options}) do
    <<1::little-16, 1::little-16, 1::little-16, 0::little-16, options_to_number(options, [])::8>>
  end
# [as in the base]
    :aldis_fault.written(
      <<1::little-16, 1::little-16, 1::little-16, 0::little-16>>,
      &write_message/2,
# [as in the base]
  defp fast_decode_message(<<
         1::little-16,
         1::little-16,
         1::little-16,
         _::little-16,
         options::8,
         rest::binary
       >>) do
    {:ok, %Feature.Message{options: options_from_number(options)}, rest}
  end
# [as in the base]

  def message_options(bin), do: message_get(:options, bin)

# [as in the base]

  defp fields_of_message, do: [:options]

# [as in the base]
  def message_get(
        :options,
        <<1::little-16, 1::little-16, 1::little-16, _::little-16, options::8, _::binary>>
      ) do
    {:ok, options_from_number(options)}
  end
# [as in the base]
      %Feature.Message{},
      [:options],
      :none,
      [{:options, "options", "{\"options\":", &Feature.Codec.json_options/0, [nil], [], []}]
    }
# [as in the base]

  defp about(:Options), do: {:flags, [:urgent, :hidden]}
  defp about(:Message), do: {:record, [{:options, {:named, :Options}}]}
end
