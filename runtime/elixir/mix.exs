defmodule Aldis.MixProject do
  use Mix.Project

  # In a package the Erlang half is inside; in the repository it is beside.
  @erlang Enum.find(["erlang", "../erlang"], &File.dir?(Path.expand(&1, __DIR__)))

  def erlang, do: Path.expand(@erlang, __DIR__)

  def project do
    [
      app: :aldis,
      version: "0.1.0",
      elixir: "~> 1.14",
      description:
        "Codecs of binary schemas (FBE, SBE, Cap'n Proto), acknowledged messages over TCP, and External Term Format " <>
          "for Phoenix and LiveView",
      # The Erlang runtime is part of this application, so that users depend on one package.
      erlc_paths: [Path.join(@erlang, "src")],
      erlc_include_path: Path.join(@erlang, "include"),
      compilers: Mix.compilers() ++ [:aldis_native],
      elixirc_paths: elixirc_paths(Mix.env()),
      consolidate_protocols: Mix.env() != :test,
      start_permanent: Mix.env() == :prod,
      package: [
        licenses: ["Apache-2.0"],
        links: %{},
        files: ~w(lib erlang mix.exs README.md LICENSE)
      ],
      # The browser tests have a server of their own.
      test_ignore_filters: [&String.starts_with?(&1, "test/browser/")],
      deps: []
    ]
  end

  def application do
    [
      mod: {:aldis_app, []},
      registered: [:aldis_sup],
      extra_applications: extra_applications(Mix.env())
    ]
  end

  # The test server does the handshake of WebSockets. Codecs need none; the transport needs inets for its status page alone.
  defp extra_applications(:test), do: [:crypto, :ssl, inets: :optional]
  defp extra_applications(_), do: [crypto: :optional, ssl: :optional, inets: :optional]

  defp elixirc_paths(:test), do: ["lib", "test/support"]
  defp elixirc_paths(_), do: ["lib"]
end

defmodule Mix.Tasks.Compile.AldisNative do
  @moduledoc false
  # The check of terms in C, where there is a compiler; ALDIS_NATIVE=0 leaves it out.
  use Mix.Task.Compiler

  @impl true
  def run(_) do
    with {:unix, _} <- :os.type() do
      script = Path.join(Aldis.MixProject.erlang(), "c_src/build.sh")
      System.cmd(script, [Path.join(Mix.Project.app_path(), "priv")], into: IO.stream())
    end

    # The status page lies beside the modules that serve it.
    page = Path.join(Aldis.MixProject.erlang(), "priv/status.html")
    target = Path.join([Mix.Project.app_path(), "priv", "status.html"])
    File.mkdir_p!(Path.dirname(target))
    File.cp!(page, target)

    :ok
  end
end
