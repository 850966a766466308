# ==== feature.ex
# [as in the base]
  @moduledoc """
  Numbers, written in order and each once, in the Final form.
  """
# [as in the base]
      Layout in fbe-final:   offset    size  field
                              after  varies  sizes
  """

  defstruct sizes: Aldis.Values.set([])

  @type t :: %__MODULE__{sizes: MapSet.t(:aldis.int32())}

# [as in the base]
  @spec get(atom(), binary()) :: {:ok, term()} | {:error, :aldis.reason()}
  def get(:sizes, binary), do: Feature.Codec.message_sizes(binary)
  def get(field, _), do: :aldis.no_field(field, [:sizes])

# [as in the base]

  @doc "The field `sizes` of a message."
  @spec get_sizes(binary()) :: {:ok, MapSet.t(:aldis.int32())} | {:error, :aldis.reason()}
  def get_sizes(binary), do: Feature.Codec.message_sizes(binary)
end
# [as in the base]

  import Aldis.Sizes

  @compile {:inline, list_size: 2}

  # Feature.Message

  def new_message, do: %Feature.Message{sizes: Aldis.Values.set([])}

  @dialyzer {:no_match, write_message_final: 2}
  defp write_message_final(%Feature.Message{sizes: sizes} = _value, path) do
    [write_message_sizes_final_list(sizes, [:sizes | path])]
  end

  defp write_message_final(_, path), do: :aldis_check.wrong(path)

  defp write_message_sizes_final_list(value, path) do
    items = :lists.usort(:aldis_check.list(Aldis.Values.elements(value), path))
    count = :aldis_check.count(length(items), 0, 4_294_967_295, path)
    [<<count::little-32>>, write_message_sizes_final_list_each(items, path, "")]
  end

  defp write_message_sizes_final_list_each([item | rest], path, acc) do
    write_message_sizes_final_list_each(
      rest,
      path,
      <<acc::bitstring, :aldis_check.int(item, -2_147_483_648, 2_147_483_647, path)::little-32>>
    )
  end

  defp write_message_sizes_final_list_each([], _, acc), do: acc

  @dialyzer {:no_match, fast_encode_message_final: 1}
  defp fast_encode_message_final(%Feature.Message{sizes: sizes}) do
    sizes_items = :lists.usort(:aldis_check.list(Aldis.Values.elements(sizes), []))
    sizes_items_size = list_size(sizes_items, 4_294_967_295)
    sizes_bytes = fast_encode_message_final_each(sizes_items, "")
    frame_size = :aldis_check.frame(12 + byte_size(sizes_bytes))
    <<frame_size::little-32, 1::little-32, sizes_items_size::little-32, sizes_bytes::binary>>
  end
# [as in the base]

  defp fast_encode_message_final_each([item | rest], acc) do
    fast_encode_message_final_each(
      rest,
      <<acc::bitstring, :aldis_check.int(item, -2_147_483_648, 2_147_483_647, [])::little-32>>
    )
  end

  defp fast_encode_message_final_each([], acc), do: acc

  @dialyzer {:no_match, fast_encode_message_final_iolist: 1}
  defp fast_encode_message_final_iolist(%Feature.Message{sizes: sizes}) do
    sizes_items = :lists.usort(:aldis_check.list(Aldis.Values.elements(sizes), []))
    sizes_items_size = list_size(sizes_items, 4_294_967_295)
    sizes_bytes = fast_encode_message_final_iolist_each(sizes_items, "")
    frame_size = :aldis_check.frame(12 + byte_size(sizes_bytes))
    [<<frame_size::little-32, 1::little-32, sizes_items_size::little-32>>, sizes_bytes]
  end

  defp fast_encode_message_final_iolist(_), do: :erlang.throw(:unusual)

  defp fast_encode_message_final_iolist_each([item | rest], acc) do
    fast_encode_message_final_iolist_each(
      rest,
      <<acc::bitstring, :aldis_check.int(item, -2_147_483_648, 2_147_483_647, [])::little-32>>
    )
  end

  defp fast_encode_message_final_iolist_each([], acc), do: acc

  defp encode_message_final_carefully(value) do
# [as in the base]
  def encode_message_final_iolist(value) do
    {:ok, fast_encode_message_final_iolist(value)}
  catch
# [as in the base]
    :aldis_wire.check_depth(depth, bin, path)
    {sizes, bin1, budget1} = read_message_sizes_final_list(bin, depth, budget, [:sizes | path])
    {%Feature.Message{sizes: sizes}, bin1, budget1}
  end

  defp read_message_sizes_final_list(
         <<count::little-32, bin1::binary>> = bin,
         _depth,
         budget,
         path
       )
       when count * 4 <= byte_size(bin1) do
    budget1 = :aldis_wire.charge(budget, 4 + count * 4, count * 4, bin, path)
    size = count * 4
    :aldis_heap.reserve(count * 4, count * 2)
    <<table::binary-size(bound(size)), rest::binary>> = bin1
    list = for(<<table_item::little-signed-32 <- table>>, do: table_item)
    {Aldis.Values.set(:lists.usort(list)), rest, budget1}
  end

  defp read_message_sizes_final_list(
         <<count::little-32, _::binary>> = bin,
         _depth,
         _budget,
         path
       ) do
    :aldis_wire.bad_count(count, bin, path)
  end

  defp read_message_sizes_final_list(bin, _depth, _budget, path) do
    :aldis_wire.cut(bin, 4, {0, [{0, 4, 4, 0, ["count"]}]}, path)
  end
# [as in the base]
  defp fast_decode_message_final(
         <<
           frame_size::little-32,
           1::little-32,
           sizes_count::little-32,
           sizes_table::binary-size(sizes_count)-unit(32),
           rest::binary
         >> = bin
       )
       when sizes_count <= 4096 and frame_size === byte_size(bin) - byte_size(rest) do
    {
      :ok,
      %Feature.Message{
        sizes:
          Aldis.Values.set(
            :lists.usort(
              for(<<sizes_table_item::little-signed-32 <- sizes_table>>, do: sizes_table_item)
            )
          )
      },
      rest
    }
  end
# [as in the base]

  def message_sizes(bin), do: message_get(:sizes, bin)

  defp view_message_final(:sizes, bin, depth, budget, path) do
    {sizes, _bin1, _budget1} = read_message_sizes_final_list(bin, depth, budget, [:sizes | path])
    sizes
  end

  defp fields_of_message, do: [:sizes]

# [as in the base]

  def message_get(field, bin), do: message_get_carefully(field, bin, :default)
# [as in the base]
      %Feature.Message{},
      [:sizes],
      :none,
      [
        {
          :sizes,
          "sizes",
          "{\"sizes\":",
          {:converted, &Aldis.Values.set/1, &Aldis.Values.elements/1, {:set, :int32, :none}},
          [],
          [],
          {&Aldis.Values.set/1, [[]]}
        }
      ]
    }
# [as in the base]

  defp about(:Message), do: {:record, [{:sizes, {:set, :int32}}]}

  defp list_size(list, most) when length(list) <= most, do: length(list)
  defp list_size(_, _), do: :erlang.throw(:unusual)
end
