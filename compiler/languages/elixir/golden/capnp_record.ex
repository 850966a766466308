# ==== feature.ex
# [as in the base]
  @moduledoc """
  A record behind a pointer.
  """
# [as in the base]

      Layout: 0 words of data, 1 pointer
        offset    size  field
          *0       8  next
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

  def new_message, do: %Feature.Message{next: nil}

# [as in the base]
    {body, objects, end_} = write_message(value, next, next + 1, depth + 1, path)
    {bsl(next - place - 1, 2), 65536, [body | objects], end_}
  end
# [as in the base]
  @dialyzer {:no_match, write_message: 5}
  defp write_message(%Feature.Message{next: next_2}, at, next, depth, path) do
    {next_low, next_high, next_io, next1} = put_message(next_2, at, next, depth, [:next | path])
    {<<next_low::little-32, next_high::little-32>>, [next_io], next1}
  end
# [as in the base]

  def encode_message_iolist(%Feature.Message{next: next} = value) do
    {
      :ok,
      <<
        0::32,
        2::little-32,
        0::32,
        65536::little-32,
        case next do
          nil -> 0
        end::little-64
      >>
    }
  catch
    _, _ -> :aldis_nil.encode(:framed, &put_message/5, value)
  end
# [as in the base]

  defp read_message(bin, at, 0, 1, message, depth, budget, path) do
    <<_::binary-size(bound(at)), next_low::little-signed-32, next_high::little-32, _::binary>> =
      bin

    {next, budget1} =
      follow_message(next_low, next_high, bin, at, message, depth, budget, [:next | path])

    {%Feature.Message{next: next}, budget1}
  end

  defp read_message(bin, at, size, count, message, depth, budget, path) do
    <<next_low::little-signed-32, next_high::little-32, _::binary>> =
      :aldis_segments.sections(bin, at, size, count, 0, 1, [])

    {next, budget1} =
      follow_message(next_low, next_high, bin, at + size, message, depth, budget, [:next | path])

    {%Feature.Message{next: next}, budget1}
  end

  defp follow_message(0, 0, _, _, _, _, budget, _), do: {nil, budget}

  defp follow_message(low, high, bin, at, message, depth, budget, path) do
    {segment, start, size, count, budget1} =
      :aldis_pointer.record(low, high, bin, at, message, depth, budget, path, {[], [{8, 6}]})

    read_message(segment, start, size, count, message, depth + 1, budget1, path)
  end

  defp direct_message(0, 0, _, _, budget), do: {nil, budget}

  defp direct_message(low, 65536, bin, at, budget) when band(low, 3) === 0 and budget >= 0 do
    start = at + 2 * low
    <<_::binary-size(bound(start)), 0::64, _::binary>> = bin
    next = nil
    {%Feature.Message{next: next}, budget - 1}
  end

  def decode_message(<<0::32, words::little-32, 0::32, 65536::little-32, 0::64, _::binary>> = bin)
      when byte_size(bin) === 8 * words + 8 and byte_size(bin) < 16384 do
    budget = byte_size(bin) + 32767
    next = nil
    true = budget >= 0
    {:ok, %Feature.Message{next: next}, ""}
  catch
    _, _ -> :aldis_message.decode(:framed, &read_message/8, bin)
  end

  def decode_message(bin), do: :aldis_direct.decode(&direct_message/5, &read_message/8, bin)

# [as in the base]

  def message_next(bin), do: message_get(:next, bin)

  defp view_message_next(bin, at, 0, 1, message, depth, budget, path) do
    <<_::binary-size(bound(at)), next_low::little-signed-32, next_high::little-32, _::binary>> =
      bin

    follow_message(next_low, next_high, bin, at, message, depth, budget, [:next | path])
  end

  defp view_message_next(bin, at, size, count, message, depth, budget, path) do
    <<next_low::little-signed-32, next_high::little-32, _::binary>> =
      :aldis_segments.sections(bin, at, size, count, 0, 1, [])

    follow_message(next_low, next_high, bin, at + size, message, depth, budget, [:next | path])
  end

  defp fields_of_message, do: [:next]

  def message_get(:next, bin), do: :aldis_message.view(&view_message_next/8, bin)
  def message_get(field, _), do: :aldis.no_field(field, fields_of_message())

  def message_get(:next, bin, options) do
    :aldis_message.viewed(
      &view_message_next/8,
      fn given -> message_get(:next, given) end,
      bin,
# [as in the base]

  def json_message do
    {
      :object,
      ["next"],
      {:struct, %Feature.Message{}, [:next]},
      :record,
      [
        {
          :field,
          {:next, "next", "\"next\":", &Feature.Codec.json_message/0, [], [nil], [nil]},
          [nil, []]
        }
      ]
    }
# [as in the base]

  defp about(:Message), do: {:record, [{:next, {:optional, {:named, :Message}}}]}
end
