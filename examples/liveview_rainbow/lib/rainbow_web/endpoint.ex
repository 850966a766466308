defmodule RainbowWeb.Endpoint do
  use Phoenix.Endpoint, otp_app: :rainbow

  @session [store: :cookie, key: "_rainbow", signing_salt: "rainbow", same_site: "Lax"]

  # Both protocols on one mount: a tab that asks for version 2 gets JSON, one that asks for version 3 gets terms.
  socket "/live", Phoenix.LiveView.Socket,
    websocket: [
      connect_info: [session: @session],
      max_frame_size: 2_000_000,
      serializer: [
        {Phoenix.Socket.V2.JSONSerializer, "~> 2.0"},
        {RainbowWeb.Serializer, "~> 3.0"}
      ]
    ],
    # Long polling carries text alone, so it stays with JSON whatever the client asks for.
    longpoll: [
      connect_info: [session: @session],
      serializer: [{Phoenix.Socket.V2.JSONSerializer, "~> 2.0 or ~> 3.0"}]
    ]

  plug Plug.Static, at: "/", from: :rainbow, only: ["assets"]
  plug Plug.Parsers, parsers: [:urlencoded, :multipart], pass: ["*/*"]
  plug Plug.Session, @session
  plug RainbowWeb.Router
end
