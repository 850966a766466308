defprotocol Aldis.Etf.Encoder do
  @moduledoc """
  What a struct is for a client.

  Dates, times and decimals are text, as in JSON. A struct of your own is refused until it says which fields a client
  may see:

      @derive {Aldis.Etf.Encoder, only: [:id, :name]}
      defstruct [:id, :name, :password_hash]

  `only: fields`, `except: fields`, or `@derive Aldis.Etf.Encoder` for all of them. Anything else is an implementation
  that returns plain data or other structs:

      defimpl Aldis.Etf.Encoder, for: Money do
        def encode(money), do: Money.to_string(money)
      end
  """
  @fallback_to_any true

  @doc "The struct's data: a map, a list, a binary, a number, or another struct. The struct itself is refused."
  @spec encode(struct()) :: term()
  def encode(struct)
end

defimpl Aldis.Etf.Encoder, for: Any do
  defmacro __deriving__(module, struct, options) do
    fields = Map.keys(struct) -- [:__struct__]

    fields =
      case options do
        [only: only] when is_list(only) ->
          known!(only, fields, module)

        [except: except] when is_list(except) ->
          fields -- known!(except, fields, module)

        [] ->
          fields -- [:__exception__]

        _ ->
          raise ArgumentError,
                "deriving Aldis.Etf.Encoder takes only: or except: with a list of fields, got: #{inspect(options)}"
      end

    quote do
      defimpl Aldis.Etf.Encoder, for: unquote(module) do
        def encode(struct), do: Map.take(struct, unquote(fields))
      end
    end
  end

  defp known!(given, fields, module) do
    case given -- fields do
      [] ->
        given

      unknown ->
        raise ArgumentError,
              "#{inspect(module)} has no fields #{inspect(unknown)} for Aldis.Etf.Encoder"
    end
  end

  def encode(struct), do: struct
end

defimpl Aldis.Etf.Encoder, for: [Date, Time, NaiveDateTime, DateTime] do
  def encode(value), do: @for.to_iso8601(value)
end

# The modules below may be absent; an implementation for one that is never called.

defimpl Aldis.Etf.Encoder, for: Decimal do
  @compile {:no_warn_undefined, Decimal}
  def encode(value), do: Decimal.to_string(value)
end

defimpl Aldis.Etf.Encoder, for: Phoenix.LiveView.JS do
  def encode(%{ops: ops}), do: ops
end

defimpl Aldis.Etf.Encoder, for: Jason.OrderedObject do
  def encode(%{values: values}), do: Map.new(values)
end
