defmodule Aldis.Error do
  @moduledoc """
  What is wrong with bytes, JSON or a value, as an exception.

  The functions of a generated module that end in `!` raise it; the others give
  `{:error, {code, offset, path}}`.

      iex> error = Aldis.Error.new({:bad_count, 40, "orders[2].symbol"})
      iex> Exception.message(error)
      "orders[2].symbol, byte 40: a count or length is larger than the bytes can hold (bad_count)"
  """

  defexception [:code, :offset, :path]

  @typedoc "`offset` is `nil` where no byte of the input is to blame; `path` is empty for the whole message."
  @type t :: %__MODULE__{
          code: :aldis.code(),
          offset: non_neg_integer() | nil,
          path: String.t()
        }

  @doc "The exception for the reason of an `{:error, reason}`."
  @spec new(:aldis.reason()) :: t()
  def new({code, :-, path}), do: %__MODULE__{code: code, offset: nil, path: path}
  def new({code, offset, path}), do: %__MODULE__{code: code, offset: offset, path: path}

  @doc """
  The value of a result, or an exception.

      iex> Aldis.Error.value!({:ok, "bytes"})
      "bytes"
      iex> Aldis.Error.value!({:ok, %{price: 1}, "what follows"})
      %{price: 1}
      iex> Aldis.Error.value!({:error, {:truncated, 8, ""}})
      ** (Aldis.Error) byte 8: the bytes end too early (truncated)
  """
  @spec value!({:ok, value} | {:ok, value, binary()} | {:error, :aldis.reason()}) :: value
        when value: term()
  def value!({:ok, value}), do: value
  def value!({:ok, value, rest}) when is_binary(rest), do: value
  def value!({:error, reason}), do: raise(new(reason))

  @impl true
  def message(%__MODULE__{code: code, offset: offset, path: path}) do
    byte = if offset, do: ["byte #{offset}"], else: []
    field = if path in [nil, ""], do: [], else: [path]
    place = Enum.join(field ++ byte, ", ")
    said = "#{meaning(code)} (#{code})"
    if place == "", do: said, else: "#{place}: #{said}"
  end

  defp meaning(:truncated), do: "the bytes end too early"
  defp meaning(:bad_pointer), do: "a pointer leads outside of the message, or is misaligned"
  defp meaning(:bad_count), do: "a count or length is larger than the bytes can hold"
  defp meaning(:bad_text), do: "the bytes are not the text that the schema says they are"
  defp meaning(:bad_value), do: "the value is not one that this field can have"
  defp meaning(:too_deep), do: "records nest deeper than 64"

  defp meaning(:too_large),
    do: "reading this would take far more work than its size allows"

  defp meaning(:unknown_message), do: "this is none of the schema's messages"
  defp meaning(:bad_json), do: "this is no JSON, or not the JSON of this message"
  defp meaning(:out_of_range), do: "the value is outside of what its type can hold"
  defp meaning(_), do: "the message could not be read or written"
end
