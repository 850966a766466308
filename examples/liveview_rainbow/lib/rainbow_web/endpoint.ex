defmodule RainbowWeb.Endpoint do
  use Phoenix.Endpoint, otp_app: :rainbow

  @session [store: :cookie, key: "_rainbow", signing_salt: "rainbow", same_site: "Lax"]

  # Both protocols on one mount: a tab that asks for version 2 gets JSON, with bytes as base64, one that asks for version 3
  # gets terms.
  socket "/live", Phoenix.LiveView.Socket,
    websocket: [
      connect_info: [session: @session],
      max_frame_size: 2_000_000,
      serializer: [
        {RainbowWeb.MeteredJSON, "~> 2.0"},
        {RainbowWeb.MeteredTerms, "~> 3.0"}
      ]
    ],
    # Long polling carries text alone: terms are in base64 there.
    longpoll: [
      connect_info: [session: @session],
      serializer: [
        {Aldis.Phoenix.JSONSerializer, "~> 2.0"},
        {RainbowWeb.LongPollSerializer, "~> 3.0"}
      ]
    ]

  plug Plug.Static, at: "/", from: :rainbow, only: ["assets"]
  plug Plug.Parsers, parsers: [:urlencoded, :multipart], pass: ["*/*"]
  plug Plug.Session, @session
  plug RainbowWeb.Router
end
