defmodule Aldis.TestJson do
  @moduledoc false
  # As much of JSON as the old protocol needs, for a machine without a JSON library.

  @doc "`struct` writes structs; without it they are what terms make of them."
  def encode!(term, struct \\ nil), do: IO.iodata_to_binary(value(term, struct))

  defp value(nil, _), do: "null"
  defp value(bool, _) when is_boolean(bool), do: Atom.to_string(bool)
  defp value(atom, _) when is_atom(atom), do: string(Atom.to_string(atom))
  defp value(text, _) when is_binary(text), do: string(text)
  defp value(int, _) when is_integer(int), do: Integer.to_string(int)
  defp value(float, _) when is_float(float), do: :io_lib_format.fwrite_g(float)

  defp value(list, struct) when is_list(list),
    do: [?[, list |> Enum.map(&value(&1, struct)) |> Enum.intersperse(?,), ?]]

  defp value(%_{} = value, nil), do: value(Aldis.Etf.Encoder.encode(value), nil)
  defp value(%_{} = value, struct), do: struct.(value)

  defp value(map, struct) when is_map(map) do
    pairs = for {key, value} <- map, do: [string(to_string(key)), ?:, value(value, struct)]
    [?{, Enum.intersperse(pairs, ?,), ?}]
  end

  defp string(text), do: [?", for(<<char::utf8 <- text>>, do: char(char)), ?"]

  defp char(?"), do: "\\\""
  defp char(?\\), do: "\\\\"
  defp char(char) when char < 32, do: :io_lib.format("\\u~4.16.0b", [char])
  defp char(char), do: <<char::utf8>>

  def decode!(text) do
    {value, rest} = read(skip(text))
    "" = skip(rest)
    value
  end

  defp read("null" <> rest), do: {nil, rest}
  defp read("true" <> rest), do: {true, rest}
  defp read("false" <> rest), do: {false, rest}
  defp read("\"" <> rest), do: read_string(rest, [])
  defp read("[" <> rest), do: read_list(skip(rest), [])
  defp read("{" <> rest), do: read_map(skip(rest), %{})

  defp read(text) do
    [number] = Regex.run(~r/^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/, text, capture: :first)
    rest = binary_part(text, byte_size(number), byte_size(text) - byte_size(number))

    case Integer.parse(number) do
      {int, ""} -> {int, rest}
      _ -> {number |> Float.parse() |> elem(0), rest}
    end
  end

  defp read_list("]" <> rest, items), do: {Enum.reverse(items), rest}
  defp read_list("," <> rest, items), do: read_list(skip(rest), items)

  defp read_list(text, items) do
    {item, rest} = read(text)
    read_list(skip(rest), [item | items])
  end

  defp read_map("}" <> rest, map), do: {map, rest}
  defp read_map("," <> rest, map), do: read_map(skip(rest), map)

  defp read_map("\"" <> text, map) do
    {key, rest} = read_string(text, [])
    ":" <> rest = skip(rest)
    {value, rest} = read(skip(rest))
    read_map(skip(rest), Map.put(map, key, value))
  end

  defp read_string("\"" <> rest, chars),
    do: {chars |> Enum.reverse() |> IO.iodata_to_binary(), rest}

  defp read_string("\\u" <> <<hex::binary-size(4), rest::binary>>, chars),
    do: read_string(rest, [<<String.to_integer(hex, 16)::utf8>> | chars])

  defp read_string(<<"\\", escape, rest::binary>>, chars) do
    char =
      Map.get(%{?n => "\n", ?t => "\t", ?r => "\r", ?b => "\b", ?f => "\f"}, escape, <<escape>>)

    read_string(rest, [char | chars])
  end

  defp read_string(<<char::utf8, rest::binary>>, chars),
    do: read_string(rest, [<<char::utf8>> | chars])

  defp skip(<<space, rest::binary>>) when space in ~c" \t\r\n", do: skip(rest)
  defp skip(text), do: text
end
