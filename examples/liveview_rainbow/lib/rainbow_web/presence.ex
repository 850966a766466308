defmodule RainbowWeb.Presence do
  @moduledoc "Who has the page of features open."
  use Phoenix.Presence, otp_app: :rainbow, pubsub_server: Rainbow.PubSub
end
