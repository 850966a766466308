defmodule Aldis.Error do
  @moduledoc """
  The exception for bytes, JSON or a value with a fault.

  The functions of a generated module that end in `!` raise it; the others give
  `{:error, {code, offset, path}}`.

      iex> error = Aldis.Error.new({:bad_count, 40, "orders[2].symbol"})
      iex> Exception.message(error)
      "orders[2].symbol, byte 40: a count or length is larger than the bytes can hold (bad_count)"
  """

  defexception [:code, :offset, :path, :text]

  @typedoc """
  `offset` is `nil` where no byte of the input is to blame; `path` is empty for the whole message; `text` is the
  reason in words.
  """
  @type t :: %__MODULE__{
          code: :aldis.code(),
          offset: non_neg_integer() | nil,
          path: String.t(),
          text: String.t() | nil
        }

  @doc "The exception for the reason of an `{:error, reason}`."
  @spec new(:aldis.reason()) :: t()
  def new(reason), do: new(reason, :aldis_reason.format(reason))

  defp new({code, :-, path}, text),
    do: %__MODULE__{code: code, offset: nil, path: path, text: text}

  defp new({code, offset, path}, text),
    do: %__MODULE__{code: code, offset: offset, path: path, text: text}

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

  @doc """
  As `value!/1`, with a message that shows what is wrong in `given`, which the function was given that gave the
  result. `message` is the generated module of the message; `nil` takes that of the struct which is given.
  """
  @spec value!(
          {:ok, value} | {:ok, value, binary()} | {:error, :aldis.reason()},
          module() | nil,
          given :: term()
        ) :: value
        when value: term()
  def value!({:ok, value}, _message, _given), do: value
  def value!({:ok, value, rest}, _message, _given) when is_binary(rest), do: value

  def value!({:error, reason}, message, given),
    do: raise(new(reason, words(reason, message, given)))

  defp words(reason, nil, %message{} = given), do: words(reason, message, given)

  defp words(reason, message, given) do
    if message != nil and function_exported?(message, :format_error, 2),
      do: message.format_error(reason, given),
      else: :aldis_reason.format(reason)
  end

  @impl true
  def message(%__MODULE__{text: nil, code: code, offset: offset, path: path}),
    do: :aldis_reason.format({code, offset || :-, path || ""})

  def message(%__MODULE__{text: text}), do: text
end
