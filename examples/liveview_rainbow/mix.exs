defmodule Rainbow.MixProject do
  use Mix.Project

  def project do
    [
      app: :rainbow,
      version: "0.1.0",
      elixir: "~> 1.15",
      aliases: [setup: ["deps.get", "esbuild.install --if-missing", "esbuild rainbow"]],
      deps: deps()
    ]
  end

  def application, do: [mod: {Rainbow.Application, []}, extra_applications: [:logger]]

  defp deps do
    [
      {:phoenix, "~> 1.8 and >= 1.8.7"},
      {:phoenix_live_view, "~> 1.2"},
      {:bandit, "~> 1.12"},
      {:websock_adapter, "~> 0.6"},
      {:jason, "~> 1.4"},
      {:esbuild, "~> 0.10", runtime: false},
      {:aldis, path: "../../runtime/elixir"}
    ]
  end
end
