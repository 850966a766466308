# ==== feature.ex
# [as in the base]
  @moduledoc """
  An id of 16 bytes.
  """
# [as in the base]
                            4       4  (type)
                            8      16  id
                                   24  (total, as this schema's writers write it)
  """

  defstruct id: Aldis.Values.uuid(<<0::128>>)

  @type t :: %__MODULE__{id: String.t()}

# [as in the base]
  @spec get(atom(), binary()) :: {:ok, term()} | {:error, :aldis.reason()}
  def get(:id, binary), do: Feature.Codec.message_id(binary)
  def get(field, _), do: :aldis.no_field(field, [:id])

# [as in the base]

  @doc "The field `id` of a message."
  @spec get_id(binary()) :: {:ok, String.t()} | {:error, :aldis.reason()}
  def get_id(binary), do: Feature.Codec.message_id(binary)
end
# [as in the base]

  def new_message, do: %Feature.Message{id: Aldis.Values.uuid(<<0::128>>)}

# [as in the base]
      %Feature.Message{},
      24,
      :little,
      [
        {0, <<24::little-32>>},
        {4, <<1::little-32>>},
        {8, :id, :id, {:converted, &Aldis.Values.octets/1, :uuid}}
      ]
    }
# [as in the base]
  @dialyzer {:no_match, fast_encode_message: 1}
  defp fast_encode_message(%Feature.Message{id: id}) do
    frame_size = :aldis_check.frame(32)

    <<
      frame_size::little-32,
      8::little-32,
      24::little-32,
      1::little-32,
      :aldis_check.uuid(Aldis.Values.octets(id), [])::binary-size(16)
    >>
  end
# [as in the base]
    :aldis_wire.check_depth(depth, bin, path)
    {block, _rest} = :aldis_wire.stated_block(bin, extent, 8, {0, [{8, 24, 24, 0, [:id]}]}, path)
    budget1 = :aldis_wire.charge_block(budget, extent, [], [{24, 4}], bin, path)
    :aldis_wire.check_type(type_id, 1, bin, path)
    {%Feature.Message{id: in_message(:id, block)}, budget1}
  end
# [as in the base]

  defp in_message(:id, <<_::binary-size(8), id::binary-size(16), _::binary>>) do
    Aldis.Values.uuid(id)
  end

  defp in_message(:id, _), do: Aldis.Values.uuid(<<0::128>>)

# [as in the base]
         8::little-32,
         24::little-32,
         1::little-32,
         id::binary-size(16),
         rest::binary
       >>)
       when frame_size === 32 do
    {:ok, %Feature.Message{id: Aldis.Values.uuid(id)}, rest}
  end
# [as in the base]

  def message_id(bin), do: message_get(:id, bin)

# [as in the base]

  defp fields_of_message, do: [:id]

# [as in the base]
  def message_get(
        :id,
        <<
# [as in the base]
          8::little-32,
          24::little-32,
          1::little-32,
          id::binary-size(16),
          _::binary
# [as in the base]
      )
      when frame_size >= 32 and frame_size <= byte_size(bin) do
    {:ok, Aldis.Values.uuid(id)}
  end
# [as in the base]
      %Feature.Message{},
      [:id],
      :none,
      [
        {
          :id,
          "id",
          "{\"id\":",
          {:converted, &Aldis.Values.uuid/1, &Aldis.Values.octets/1, :uuid},
          [],
          [],
          {&Aldis.Values.uuid/1, [<<0::128>>]}
        }
      ]
    }
# [as in the base]

  defp about(:Message), do: {:record, [{:id, :uuid}]}
end
