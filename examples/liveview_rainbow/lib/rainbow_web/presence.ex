defmodule RainbowWeb.Presence do
  @moduledoc "The users that have the page of features open."
  use Phoenix.Presence, otp_app: :rainbow, pubsub_server: Rainbow.PubSub
end
