defmodule Trading.MixProject do
  use Mix.Project

  def project do
    [
      app: :trading,
      version: "0.1.0",
      elixir: "~> 1.14",
      compilers: [:aldis | Mix.compilers()],
      # priv/orders.fbe becomes lib/generated/trading_orders.ex before Elixir is compiled.
      aldis: [schemas: [{"priv/orders.fbe", name: "Trading.Orders"}]],
      deps: [{:aldis, path: "../../runtime/elixir"}]
    ]
  end

  def application, do: [extra_applications: [:logger]]
end
