defmodule Aldis.Etf do
  @moduledoc """
  Terms for the browser in the External Term Format.

  `encode!/2` writes what JSON could say and refuses the rest: no struct's private fields, no pids and no functions
  leave the server. `decode/2` reads frames of clients nobody trusts, under limits, and gives data alone.

  The tuple `{:bytes, binary}` holds what JSON cannot say: bytes that are no text, such as images or audio, anywhere in a term and in
  both directions. In the browser they are a `Uint8Array`. Other binaries are text.

      iex> frame = Aldis.Etf.encode!(%{id: 1, at: ~D[2024-02-29]})
      iex> :erlang.binary_to_term(frame)
      %{id: 1, at: "2024-02-29"}

      iex> Aldis.Etf.decode(:erlang.term_to_binary(%{"id" => [1, nil]}))
      {:ok, %{"id" => [1, nil]}}
  """

  defmodule DecodeError do
    @moduledoc "A frame that was refused: `code` and `offset` as `Aldis.Etf.decode/2` gives them."
    defexception [:code, :offset]

    @impl true
    def message(%{code: code, offset: offset}),
      do: "frame refused at byte #{offset}: #{code |> to_string() |> String.replace("_", " ")}"
  end

  @typedoc """
  Limits of a frame to be read; see `t::aldis_etf.limits/0` for their defaults.

    * `:max_bytes` - size of the frame
    * `:max_depth` - nested lists and maps
    * `:max_nodes` - values in all
    * `:max_integer_bytes` - size of an integer beyond 32 bits
    * `:utf8` - whether binaries have to be UTF-8
    * `:native` - whether the check in C is used where it was built
  """
  @type limits :: [
          max_bytes: non_neg_integer(),
          max_depth: non_neg_integer(),
          max_nodes: non_neg_integer(),
          max_integer_bytes: 0..255,
          utf8: boolean(),
          native: boolean()
        ]

  @typedoc """
  Options of `encode!/2`.

    * `:utf8` - whether binaries that are not UTF-8 are refused (`true`), as JSON libraries do: in the page they are no
      strings
    * `:fallback` - a JSON library for structs that implement its protocol and not `Aldis.Etf.Encoder`: `Jason`, or `JSON`
      of Elixir 1.18, or any module with `encode!/1` and `decode!/1`. It writes the struct, and what it reads of that is
      sent, which costs more than both. It also takes `Jason.Fragment`
    * `:native` - whether the check in C is used where it was built (`true`)
  """
  @type encode_options :: [utf8: boolean(), fallback: module() | nil, native: boolean()]

  @doc """
  Encodes a term. Structs go through `Aldis.Etf.Encoder`; keys stay what they are, but for floats, which become text.

  Raises `ArgumentError` with the way to what there is no value for:

      iex> Aldis.Etf.encode!(%{users: [%{owner: {1, 2}}]})
      ** (ArgumentError) cannot encode a tuple at [:users, 0, :owner]: it has no value in JSON; convert it to a list or a map
  """
  @spec encode!(term(), encode_options()) :: binary()
  def encode!(term, options \\ []) do
    check_encoding!(options)
    encode_checked!(term, options)
  end

  @doc false
  @spec encode_checked!(term(), encode_options()) :: binary()
  def encode_checked!(term, options) do
    :aldis_etf.encode(term, encoding(options))
  rescue
    error in ErlangError -> reraise argument_error(error), __STACKTRACE__
  end

  @doc """
  Decodes a frame of a client nobody trusts. Never raises for a binary; `ArgumentError` is for limits that are none.

      iex> Aldis.Etf.decode(:erlang.term_to_binary(self()))
      {:error, {:bad_tag, 1}}
  """
  @spec decode(binary(), limits() | :aldis_etf_scan.limits()) ::
          {:ok, term()} | {:error, {:aldis_etf.code(), non_neg_integer()}}
  def decode(frame, limits \\ [])
  def decode(frame, limits) when is_list(limits), do: :aldis_etf.decode(frame, limits!(limits))
  def decode(frame, limits), do: :aldis_etf.decode(frame, limits)

  @doc false
  @spec limits!(limits()) :: :aldis_etf_scan.limits()
  def limits!(limits) do
    limits |> Map.new() |> :aldis_etf.limits()
  rescue
    error in ErlangError -> reraise argument_error(error), __STACKTRACE__
  end

  @doc """
  As `decode/2`; raises `Aldis.Etf.DecodeError`.

      iex> Aldis.Etf.decode!(<<131, 80>>)
      ** (Aldis.Etf.DecodeError) frame refused at byte 1: compressed
  """
  @spec decode!(binary(), limits() | :aldis_etf_scan.limits()) :: term()
  def decode!(frame, limits \\ []) do
    case decode(frame, limits) do
      {:ok, term} -> term
      {:error, {code, offset}} -> raise DecodeError, code: code, offset: offset
    end
  end

  @doc false
  @spec check_encoding!(encode_options()) :: :ok
  def check_encoding!(options) do
    {fallback, checks} = Keyword.pop(options, :fallback)
    Aldis.Etf.Fallback.check!(fallback)

    for {name, value} <- checks, name not in [:utf8, :native] or not is_boolean(value) do
      raise ArgumentError,
            "expected utf8: or native: true or false, or fallback: a module, got: #{name}: #{inspect(value)}"
    end

    :ok
  end

  @doc false
  # Options that were checked, made ready.
  @spec encoding(encode_options()) :: :aldis_etf.options()
  def encoding([]), do: %{struct: &Aldis.Etf.Encoder.encode/1}

  def encoding(options) do
    {fallback, checks} = Keyword.pop(options, :fallback)
    checks |> Map.new() |> Map.put(:struct, Aldis.Etf.Fallback.converter(fallback))
  end

  defp argument_error(%ErlangError{original: {:badarg, path, why}}),
    do: %ArgumentError{message: "cannot encode #{what(why)} at #{inspect(path)}: #{mend(why)}"}

  defp argument_error(%ErlangError{original: {:bad_limit, name, value}}),
    do: %ArgumentError{message: "expected #{limit(name)}, got: #{name}: #{inspect(value)}"}

  defp argument_error(error), do: error

  defp limit(name) when name in [:utf8, :native], do: "#{name} to be true or false"
  defp limit(:max_integer_bytes), do: "max_integer_bytes to be an integer from 0 to 255"

  defp limit(name) when name in [:max_bytes, :max_depth, :max_nodes],
    do: "#{name} to be an integer from 0 on"

  defp limit(_),
    do: "one of max_bytes, max_depth, max_nodes, max_integer_bytes, utf8 and native"

  defp what({:struct, name}), do: "%#{inspect(name)}{}"
  defp what({:key, kind}), do: "a map's key that is a #{kind}"
  defp what(:improper_list), do: "an improper list"
  defp what(:bad_utf8), do: "a binary that is not UTF-8"
  defp what(kind), do: "a #{kind}"

  defp mend({:struct, Jason.Fragment}),
    do: "it is text of JSON; give the option fallback: Jason, or send the data itself"

  defp mend({:struct, name}) do
    "derive Aldis.Etf.Encoder in #{inspect(name)} with the fields a client may see, or implement it; " <>
      "where it has an encoder of a JSON library, the option fallback: takes that"
  end

  defp mend({:key, _}), do: "use binaries, atoms or numbers"
  defp mend(:tuple), do: "it has no value in JSON; convert it to a list or a map"
  defp mend(:bad_utf8), do: "send bytes as {:bytes, data}, which is a Uint8Array in the browser"
  defp mend(_), do: "it has no value in JSON"
end
