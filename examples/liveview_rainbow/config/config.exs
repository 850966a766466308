import Config

config :phoenix, :json_library, Jason

config :rainbow, RainbowWeb.Endpoint,
  adapter: Bandit.PhoenixAdapter,
  http: [ip: {127, 0, 0, 1}, port: String.to_integer(System.get_env("PORT", "4000"))],
  server: true,
  # Both names of this machine: without it Phoenix takes sockets from pages at http://localhost alone.
  check_origin: ["//localhost", "//127.0.0.1"],
  # For this machine alone: a real application reads both from its environment.
  secret_key_base: String.duplicate("rainbow-on-this-machine-only-", 3),
  live_view: [signing_salt: "rainbow-salt"],
  render_errors: [formats: [html: RainbowWeb.ErrorHTML], layout: false],
  pubsub_server: Rainbow.PubSub

config :esbuild,
  version: "0.25.4",
  rainbow: [
    args:
      ~w(js/app.js --bundle --format=esm --target=es2022 --outdir=../priv/static/assets) ++
        ~w(--alias:@aldis/etf/phoenix=../../../runtime/javascript/etf/src/phoenix.js),
    cd: Path.expand("../assets", __DIR__),
    env: %{"NODE_PATH" => Path.expand("../deps", __DIR__)}
  ]

config :logger, level: :info
