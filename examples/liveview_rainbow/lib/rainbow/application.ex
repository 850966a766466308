defmodule Rainbow.Application do
  @moduledoc false
  use Application

  @impl true
  def start(_type, _args) do
    children = [
      {Phoenix.PubSub, name: Rainbow.PubSub},
      RainbowWeb.Presence,
      RainbowWeb.Meter,
      RainbowWeb.Endpoint
    ]

    Supervisor.start_link(children, strategy: :one_for_one, name: Rainbow.Supervisor)
  end
end
