# ==== feature.ex
# [as in the base]
  @moduledoc """
  A choice of a number and of nothing.
  """
# [as in the base]

  @doc "Which message the bytes are."
# [as in the base]

      Layout: 2 words of data, 0 pointers
        offset    size  field
           8       2  (union): which arm
           0       8  amount (arm 0)
                   0  nothing (arm 1)
  """

  @type t :: Feature.Message.Union.t()

# [as in the base]
  @spec get(atom(), binary()) :: {:ok, term()} | {:error, :aldis.reason()}
  def get(:union, binary), do: Feature.Codec.message(binary)
  def get(field, _), do: :aldis.no_field(field, [:union])

# [as in the base]
          {:ok, term()} | {:error, :aldis.reason()}
  def get(:union, binary, options), do: Feature.Codec.message_get(:"", binary, Map.new(options))
  def get(field, _, _), do: :aldis.no_field(field, [:union])

  @doc "The field `union` of a message."
  @spec get_union(binary()) :: {:ok, Feature.Message.Union.t()} | {:error, :aldis.reason()}
  def get_union(binary), do: Feature.Codec.message(binary)
end

defmodule Feature.Message.Union do
  @moduledoc """
  The union `Message.` of the schema.
  """

  @type t :: {:amount, :aldis.int64()} | {:nothing, nil} | {:unknown, :aldis.uint16()}
end
# [as in the base]

  @compile {:inline, message_bits0: 1, message_tag: 1}

  # Feature.Message

  def new_message, do: {:amount, 0}

# [as in the base]
    :aldis_check.depth(depth + 1, path)
    {body, objects, end_} = write_message(value, next, next + 2, depth + 1, path)
    {bsl(next - place - 1, 2), 2, [body | objects], end_}
  end

  defp write_message(v, _at, next, depth, path) do
    {v_tag, v_area0} = write_message_2(v, depth, path)
    {<<v_area0::bitstring, v_tag::little-16, 0::48>>, [], next}
  end

# [as in the base]

  def encode_message_iolist(v = value) do
    {
      :ok,
      <<
        0::32,
        3::little-32,
        0::32,
        2::little-32,
        message_bits0(v)::bitstring,
        message_tag(v)::little-64
      >>
    }
  catch
    _, _ -> :aldis_nil.encode(:framed, &put_message/5, value)
  end

  defp read_message(bin, at, 16, 0, message, depth, budget, path) do
    <<_::binary-size(bound(at)), _::64, v_tag::little-16, _::binary>> = bin
    read_message_2(v_tag, bin, at, 16, 0, message, depth, budget, path)
  end

  defp read_message(bin, at, size, count, message, depth, budget, path) do
    <<_::64, v_tag::little-16, _::binary>> =
      :aldis_segments.sections(bin, at, size, count, 16, 0, [])

    read_message_2(v_tag, bin, at, size, count, message, depth, budget, path)
  end

  defp direct_message(0, 0, _, _, budget), do: {nil, budget}

  defp direct_message(low, 2, bin, at, budget) when band(low, 3) === 0 and budget >= 0 do
    start = at + 2 * low
    <<_::binary-size(bound(start)), _::64, v_tag::little-16, _::48, _::binary>> = bin
    {v, budget1} = direct_message_2(v_tag, bin, start, budget)
    {v, budget1 - 2}
  end

  def decode_message(
        <<
          0::32,
          words::little-32,
          0::32,
          2::little-32,
          _::64,
          v_tag::little-16,
          _::48,
          _::binary
        >> = bin
      )
      when byte_size(bin) === 8 * words + 8 and byte_size(bin) < 16384 do
    budget = byte_size(bin) + 32766
    {v, budget1} = direct_message_2(v_tag, bin, 16, budget)
    true = budget1 >= 0
    {:ok, v, ""}
  catch
    _, _ -> :aldis_message.decode(:framed, &read_message/8, bin)
  end

  def decode_message(bin), do: :aldis_direct.decode(&direct_message/5, &read_message/8, bin)

# [as in the base]

  def message(bin), do: message_get(:"", bin)

  defp view_message(bin, at, 16, 0, message, depth, budget, path) do
    <<_::binary-size(bound(at)), _::64, v_tag::little-16, _::binary>> = bin
    read_message_2(v_tag, bin, at, 16, 0, message, depth, budget, path)
  end

  defp view_message(bin, at, size, count, message, depth, budget, path) do
    <<_::64, v_tag::little-16, _::binary>> =
      :aldis_segments.sections(bin, at, size, count, 16, 0, [])

    read_message_2(v_tag, bin, at, size, count, message, depth, budget, path)
  end

  defp fields_of_message, do: [:""]

  def message_get(
        :"",
        <<
          0::32,
          words::little-32,
          0::32,
          2::little-32,
          _::64,
          v_tag::little-16,
          _::48,
          _::binary
        >> = bin
      )
      when byte_size(bin) === 8 * words + 8 and byte_size(bin) < 16384 do
    case direct_message_2(v_tag, bin, 16, byte_size(bin) + 32766) do
      {value, left} when left >= 0 -> {:ok, value}
    end
  catch
    _, _ -> :aldis_message.view(&view_message/8, bin)
  end

  def message_get(:"", bin), do: :aldis_message.view(&view_message/8, bin)
  def message_get(field, _), do: :aldis.no_field(field, fields_of_message())

  def message_get(:"", bin, options) do
    :aldis_message.viewed(&view_message/8, fn given -> message_get(:"", given) end, bin, options)
  end
# [as in the base]
      :object,
      [["amount", "nothing"]],
      :union,
      :record,
      [{:union, &Feature.Codec.json_message_2/0, [{:amount, 0}]}]
    }
# [as in the base]

  # Feature.Message.Union

  @dialyzer {:no_match, write_message_2: 3}
  defp write_message_2({:amount, amount}, _depth, path) do
    {
      0,
      <<
        :aldis_check.int(
          amount,
          -9_223_372_036_854_775_808,
          9_223_372_036_854_775_807,
          [:amount | path]
        )::little-64
      >>
    }
  end

  defp write_message_2({:nothing, nothing}, _depth, path) do
    :aldis_check.constant(nothing, nil, [:nothing | path])
    {1, <<0::64>>}
  end

  defp write_message_2({:unknown, tag}, _, path), do: {:aldis_words.tag(tag, path), <<0::64>>}
  defp write_message_2(_, _, path), do: :aldis_check.wrong(path)

  defp message_tag({:amount, amount}) when bsr(bsr(amount, 63) + 1, 1) === 0, do: 0
  defp message_tag({:nothing, nothing}) when nothing === nil, do: 1

  defp message_bits0({:amount, amount}), do: <<amount::little-64>>
  defp message_bits0({:nothing, _nothing}), do: <<0::64>>

  defp read_message_2(0, bin, at, size, count, message, depth, budget, path) do
    {value, budget1} = read_message_amount(bin, at, size, count, message, depth, budget, path)
    {{:amount, value}, budget1}
  end

  defp read_message_2(1, _, _, _, _, _, _, budget, _), do: {{:nothing, nil}, budget}
  defp read_message_2(tag, _, _, _, _, _, _, budget, _), do: {{:unknown, tag}, budget}

  defp read_message_amount(bin, at, 16, 0, _message, _depth, budget, _path) do
    <<_::binary-size(bound(at)), amount::little-signed-64, _::binary>> = bin
    {amount, budget}
  end

  defp read_message_amount(bin, at, size, count, _message, _depth, budget, _path) do
    <<amount::little-signed-64, _::binary>> =
      :aldis_segments.sections(bin, at, size, count, 16, 0, [{0, 8}])

    {amount, budget}
  end

  defp direct_message_2(0, bin, at, budget) do
    <<_::binary-size(bound(at)), amount::little-signed-64, _::binary>> = bin
    {{:amount, amount}, budget}
  end

  defp direct_message_2(1, _bin, _at, budget), do: {{:nothing, nil}, budget}
  defp direct_message_2(tag, _bin, _at, budget), do: {{:unknown, tag}, budget}

  def json_message_2 do
    {
      :choice,
      [["amount", "nothing"]],
      :none,
      [
        {:amount, "amount", {:field, {:amount, "amount", "\"amount\":", {:wide, :int64}}, []}},
        {:nothing, "nothing", {:field, {:nothing, "nothing", "\"nothing\":", {:void, nil}}, []}}
      ],
      [{:amount, 0}]
    }
  end

  # The whole schema

  def encode(_), do: {:error, {:unknown_message, :-, ""}}
# [as in the base]

  defp about(:Message), do: {:record, [{:"", {:named, :Message_}}]}
  defp about(:Message_), do: {:union, [{:amount, :int64}, {:nothing, :void}]}
end
