defmodule EtfBench.Customer do
  @moduledoc "A struct with the encoders that an application would give it: for terms, and where Elixir has it for its own JSON."
  @derive {Aldis.Etf.Encoder, only: [:id, :name, :email]}
  if Code.ensure_loaded?(JSON.Encoder),
    do: @derive({JSON.Encoder, only: [:id, :name, :email]})

  defstruct [:id, :name, :email, :password_hash]
end

defmodule EtfBench.Order do
  @moduledoc "A struct with dates and another struct in it."
  @fields [:id, :customer, :total, :status, :placed_on, :inserted_at, :updated_at]
  @derive {Aldis.Etf.Encoder, only: @fields}
  if Code.ensure_loaded?(JSON.Encoder), do: @derive({JSON.Encoder, only: @fields})
  defstruct [:__meta__ | @fields]

  @doc "An order that is always the same for its number."
  def new(id) do
    at = DateTime.add(~U[2026-03-01 08:00:00.123456Z], id * 977)

    %__MODULE__{
      id: id,
      customer: %EtfBench.Customer{
        id: rem(id * 37, 500),
        name: "Customer #{id}",
        email: "customer#{id}@example.org"
      },
      total: id * 12.5 + 0.25,
      status: Enum.at([:new, :paid, :sent], rem(id, 3)),
      placed_on: DateTime.to_date(at),
      inserted_at: at,
      updated_at: NaiveDateTime.add(DateTime.to_naive(at), 60)
    }
  end
end
