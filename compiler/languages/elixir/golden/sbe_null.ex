# ==== feature.ex
# [as in the base]
      Layout in sbe:   offset    size  field
                            0       2  count
                                    2  (total, as this schema's writers write it)
  """

  defstruct count: nil

  @type t :: %__MODULE__{count: :aldis.uint16() | nil}

# [as in the base]
  @spec get(atom(), binary()) :: {:ok, term()} | {:error, :aldis.reason()}
  def get(:count, binary), do: Feature.Codec.message_count(binary)
  def get(field, _), do: :aldis.no_field(field, [:count])

# [as in the base]

  @doc "The field `count` of a message."
  @spec get_count(binary()) :: {:ok, :aldis.uint16() | nil} | {:error, :aldis.reason()}
  def get_count(binary), do: Feature.Codec.message_count(binary)
end
# [as in the base]

  @compile {:inline, nullable: 2, or_null: 2}

  # Feature.Message

  def new_message, do: %Feature.Message{count: nil}

# [as in the base]

  def run_message do
    {:struct, %Feature.Message{}, 2, :little, [{0, :count, :count, {:or_null, 65535, :uint16}}]}
  end

  @dialyzer {:no_match, fast_encode_message: 1}
  defp fast_encode_message(%Feature.Message{count: count})
       when is_nil(count) or count in 0..65535 do
    <<2::little-16, 1::little-16, 1::little-16, 0::little-16, or_null(count, 65535)::little-16>>
  end
# [as in the base]
    :aldis_fault.written(
      <<2::little-16, 1::little-16, 1::little-16, 0::little-16>>,
      &write_message/2,
# [as in the base]
  defp fast_decode_message(<<
         2::little-16,
         1::little-16,
# [as in the base]
         _::little-16,
         count::little-16,
         rest::binary
       >>) do
    {:ok, %Feature.Message{count: nullable(count, 65535)}, rest}
  end
# [as in the base]

  def message_count(bin), do: message_get(:count, bin)

# [as in the base]

  defp fields_of_message, do: [:count]

# [as in the base]
  def message_get(
        :count,
        <<2::little-16, 1::little-16, 1::little-16, _::little-16, count::little-16, _::binary>>
      ) do
    {:ok, nullable(count, 65535)}
  end
# [as in the base]
      %Feature.Message{},
      [:count],
      :none,
      [{:count, "count", "{\"count\":", :uint16, nil}]
    }
# [as in the base]

  defp about(:Message), do: {:record, [{:count, {:optional, :uint16}}]}

  defp nullable(null, null), do: nil
  defp nullable(value, _), do: value

  defp or_null(nil, null), do: null
  defp or_null(value, _), do: value
end
