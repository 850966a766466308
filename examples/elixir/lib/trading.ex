defmodule Trading do
  @moduledoc """
  An order that answers a quote, both as bytes.

  `Trading.Orders` is written to `lib/generated` by the Mix compiler, `Trading.Quotes` compiled in place by `use Aldis`.
  """

  alias Trading.{Orders, Quotes}

  @doc """
  Buys at what the quote asks, unless trading is halted.

      iex> quote = %Trading.Quotes.Quote{symbol: "ACME", bid: 9.5, ask: 9.75, union: {:open, nil}}
      iex> {:ok, bytes} = Trading.answer(Trading.Quotes.Quote.encode!(quote), 7)
      iex> Trading.Orders.Order.get(:price, bytes)
      {:ok, 9.75}

      iex> halted = %Trading.Quotes.Quote{symbol: "ACME", union: {:halted, "news"}}
      iex> Trading.answer(Trading.Quotes.Quote.encode!(halted), 7)
      {:error, "news"}
  """
  @spec answer(binary(), non_neg_integer()) :: {:ok, binary()} | {:error, term()}
  def answer(bytes, id) do
    case Quotes.Quote.decode(bytes) do
      {:ok, %{union: {:halted, why}}, _rest} -> {:error, why}
      {:ok, quote, _rest} -> Orders.Order.encode(order(quote, id))
      {:error, reason} -> {:error, reason}
    end
  end

  defp order(quote, id) do
    now = Aldis.Values.from_datetime(DateTime.utc_now())
    %Orders.Order{id: id, symbol: quote.symbol, side: :buy, price: quote.ask, placed: now}
  end
end
