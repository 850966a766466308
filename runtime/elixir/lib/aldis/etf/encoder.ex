defprotocol Aldis.Etf.Encoder do
  @moduledoc """
  The terms that clients get for a struct.

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

    # One match and one map, whose keys are known to the compiler, in place of a walk over the fields.
    pairs = for field <- fields, do: {field, Macro.var(field_name(field), __MODULE__)}

    quote do
      defimpl Aldis.Etf.Encoder, for: unquote(module) do
        def encode(%{unquote_splicing(pairs)}), do: %{unquote_splicing(pairs)}
      end
    end
  end

  # A variable that no field's name makes warn or match twice.
  defp field_name(field), do: :"field_#{field}"

  defp known!(given, fields, module) do
    case given -- fields do
      [] ->
        given

      unknown ->
        raise ArgumentError,
              "#{inspect(module)} has no fields #{inspect(unknown)} for Aldis.Etf.Encoder"
    end
  end

  # Structs of libraries that may be absent: there are no modules of theirs to implement the protocol for, and who has them
  # may compile them before this or after it.
  @compile {:no_warn_undefined, Decimal}

  def encode(%{__struct__: Decimal} = value), do: Decimal.to_string(value)
  def encode(%{__struct__: Phoenix.LiveView.JS, ops: ops}), do: ops
  def encode(%{__struct__: Jason.OrderedObject, values: values}), do: Map.new(values)
  def encode(struct), do: struct
end

defimpl Aldis.Etf.Encoder, for: [Date, Time, NaiveDateTime, DateTime] do
  def encode(value), do: Aldis.Etf.Calendar.text(value) || @for.to_iso8601(value)
end
