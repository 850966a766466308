defmodule Aldis.Etf.Fallback do
  @moduledoc false
  # Structs without an `Aldis.Etf.Encoder` that a JSON library knows: it writes them, and what it reads is their data.

  alias Aldis.Etf.Encoder

  @doc "Raises where a library is none, or is not there."
  @spec check!(module() | nil) :: :ok
  def check!(nil), do: :ok

  def check!(json) when is_atom(json) do
    unless Code.ensure_loaded?(json) and function_exported?(json, :encode!, 1) and
             function_exported?(json, :decode!, 1) do
      raise ArgumentError,
            "fallback: #{inspect(json)} is no module with encode!/1 and decode!/1 here; " <>
              "Jason is a dependency, JSON comes with Elixir 1.18"
    end

    :ok
  end

  def check!(other),
    do: raise(ArgumentError, "expected fallback: a module, got: #{inspect(other)}")

  @doc "The function that makes data of a struct; a struct it cannot convert comes back as it is."
  @spec converter(module() | nil) :: (struct() -> term())
  def converter(nil), do: &Encoder.encode/1
  def converter(json), do: fn struct -> convert(struct, json) end

  defp convert(struct, json) do
    encoder = Encoder.impl_for(struct)

    case encoder.encode(struct) do
      ^struct when encoder == Encoder.Any ->
        struct |> json.encode!() |> IO.iodata_to_binary() |> json.decode!()

      data ->
        data
    end
  rescue
    error in Protocol.UndefinedError ->
      # For another struct in this one, the library's own message is the better one.
      if error.value == struct, do: struct, else: reraise(error, __STACKTRACE__)
  end
end
