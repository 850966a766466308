# ==== feature.ex
# [as in the base]
  @moduledoc """
  A record of the same kind, which may be null.
  """
# [as in the base]
                            4       4  (type)
                            8       5  next, presence and an offset
                                   13  (total, as this schema's writers write it)
  """

  defstruct next: nil

  @type t :: %__MODULE__{next: Feature.Message.t() | nil}

# [as in the base]
  @spec get(atom(), binary()) :: {:ok, term()} | {:error, :aldis.reason()}
  def get(:next, binary), do: Feature.Codec.message_next(binary)
  def get(field, _), do: :aldis.no_field(field, [:next])

# [as in the base]

  @doc "The field `next` of a message."
  @spec get_next(binary()) :: {:ok, Feature.Message.t() | nil} | {:error, :aldis.reason()}
  def get_next(binary), do: Feature.Codec.message_next(binary)
end
# [as in the base]

  @compile {:inline, has: 1, at: 2}

  # Feature.Message

  def new_message, do: %Feature.Message{next: nil}

  @dialyzer {:no_match, write_message: 3}
  defp write_message(%Feature.Message{next: next} = value, depth, path) do
    :aldis_check.depth(depth, path)
    {next_bytes, at1} = put_message_next_if(next, 13, depth, [:next | path])
    {[write_message_run(value, 13, path), next_bytes], at1}
  end

  defp write_message(_, _, path), do: :aldis_check.wrong(path)

  defp put_message(value, at, depth, path) do
    {bytes, size} = write_message(value, depth + 1, path)
    {bytes, at + size}
  end

  defp put_message_next_value(value, at, depth, path) do
    {value_bytes, value_end} = put_message(value, at + 4, depth, path)
    {[<<at + 4::little-32>>, value_bytes], value_end}
  end

  defp put_message_next_here(value, at, depth, path) do
    {bytes, size} = put_message_next_value(value, 0, depth, path)
    {bytes, at + size}
  end

  defp put_message_next_if(nil, at, _depth, _path), do: {[], at}

  defp put_message_next_if(value, at, depth, path) do
    put_message_next_here(value, at, depth, path)
  end

  defp write_message_run(%Feature.Message{next: next}, next_at, _path) do
    <<13::little-32, 1::little-32, has(next)::8, at(next, next_at)::little-32>>
  end

  def encode_message(value), do: :aldis.binary(encode_message_iolist(value))

  def encode_message_iolist(value) do
    {body, size} = write_message(value, 1, [])
    frame_size = :aldis_check.frame(size + 8)
    {:ok, [<<frame_size::little-32, 8::little-32>>, body]}
# [as in the base]

  defp open_message(<<frame_size::little-32, root_at::little-32, _::binary>> = bin)
# [as in the base]

  defp read_message(bin, depth, budget, path) do
    :aldis_wire.check_depth(depth, bin, path)
    {next_has, next_at, budget1} = read_message_run(bin, budget, path)
    {next, budget2} = message_next_if(next_has, next_at, bin, depth, budget1, [:next | path])
    {%Feature.Message{next: next}, budget2}
  end

  defp read_message_run(
         <<13::little-32, 1::little-32, next_has::8, next_at::little-32, _::binary>>,
         budget,
         _path
       )
       when budget >= 37 do
    {next_has, next_at, budget - 37}
  end

  defp read_message_run(
         <<extent::little-32, type_id::little-32, _::binary>> = bin,
         budget,
         path
       ) do
    {block, _rest} =
      :aldis_wire.stated_block(bin, extent, 8, {0, [{8, 13, 13, 0, [:next]}]}, path)

    budget1 = :aldis_wire.charge_block(budget, extent, [{13, 24}], [{13, 6}], bin, path)
    :aldis_wire.check_type(type_id, 1, bin, path)

    {
      case block do
        <<_::binary-size(8), next_has::8, _next_at::little-32, _::binary>> -> next_has
        _ -> :missing
      end,
      case block do
        <<_::binary-size(8), _next_has::8, next_at::little-32, _::binary>> -> next_at
        _ -> :missing
      end,
      budget1
    }
  end

  defp read_message_run(bin, _budget, path), do: :aldis_wire.truncated(bin, path)

  defp message_at(0, base, _depth, _budget, path), do: :aldis_wire.bad_pointer(0, base, path)

  defp message_at(at, base, depth, budget, path) do
    case base do
      <<_::binary-size(bound(at)), target::binary>> ->
        read_message(target, depth + 1, budget, path)

      _ ->
        :aldis_wire.bad_pointer(at, base, path)
    end
  end

  defp read_message_next_value(
         <<value_at::little-32, _rest::binary>> = bin,
         base,
         depth,
         budget,
         path
       ) do
    budget1 = :aldis_wire.charge(budget, 4, 24, bin, path)
    {value_followed, budget2} = message_at(value_at, base, depth, budget1, path)
    {value_followed, budget2}
  end

  defp read_message_next_value(bin, _base, _depth, _budget, path) do
    :aldis_wire.truncated(bin, path)
  end

  defp read_message_next_here(bin, _base, depth, budget, path) do
    read_message_next_value(bin, bin, depth, budget, path)
  end

  defp message_next_at(0, base, _depth, _budget, path), do: :aldis_wire.bad_pointer(0, base, path)

  defp message_next_at(at, base, depth, budget, path) do
    case base do
      <<_::binary-size(bound(at)), target::binary>> ->
        read_message_next_here(target, base, depth, budget, path)

      _ ->
        :aldis_wire.bad_pointer(at, base, path)
    end
  end

  defp message_next_if(:missing, _at, _base, _depth, budget, _path), do: {nil, budget}
  defp message_next_if(0, _at, _base, _depth, budget, _path), do: {nil, budget}

  defp message_next_if(_, at, base, depth, budget, path) do
    message_next_at(at, base, depth, budget, path)
  end

# [as in the base]

  def decode_message(bin), do: decode_message_carefully(bin, :default)

# [as in the base]

  def message_next(bin), do: message_get(:next, bin)

  defp view_message(:next, bin, depth, budget, path) do
    block =
# [as in the base]

    {next_has, next_at} =
      case block do
        <<_::binary-size(8), found_has::8, found_at::little-32, _::binary>> ->
          {found_has, found_at}

        _ ->
          {:missing, :missing}
      end

    {next, _budget1} = message_next_if(next_has, next_at, bin, depth, budget, [:next | path])
    next
  end

  defp fields_of_message, do: [:next]

# [as in the base]

  def message_get(field, bin), do: message_get_carefully(field, bin, :default)
# [as in the base]

  def json_message do
    {
# [as in the base]
      %Feature.Message{},
      [:next],
      :record,
      [{:next, "next", "{\"next\":", &Feature.Codec.json_message/0, nil}]
    }
# [as in the base]

  defp about(:Message), do: {:record, [{:next, {:optional, {:named, :Message}}}]}

  defp has(nil), do: 0
  defp has(_), do: 1

  defp at(nil, _), do: 0
  defp at(_, at), do: at
end
