defmodule RainbowWeb.FeaturesLive do
  @moduledoc """
  One of each thing that a LiveView page does over its socket, for `features/run.sh`, which uses them as a person would: a
  form, an upload, a stream, a broadcast, presence, a view in a view, navigation.
  """
  use Phoenix.LiveView

  alias RainbowWeb.Presence

  @topic "features"

  @impl true
  def mount(_params, _session, socket) do
    if connected?(socket) do
      :ok = Phoenix.PubSub.subscribe(Rainbow.PubSub, @topic)
      {:ok, _} = Presence.track(self(), @topic, socket.id, %{})
    end

    {:ok,
     socket
     |> assign(name: "", heard: "", sent: "", here: here())
     |> stream(:items, [%{id: 1}, %{id: 2}])
     |> allow_upload(:file, accept: :any, max_entries: 1, auto_upload: true, progress: &progress/3)}
  end

  @impl true
  def handle_params(_params, _uri, socket), do: {:noreply, socket}

  @impl true
  def render(assigns) do
    ~H"""
    <form id="form" phx-change="validate"><input id="name" name="name" /></form>
    <i id="echo">{@name}</i>
    <button id="go" phx-click="go">go</button>
    <button id="shout" phx-click="shout" phx-value-text="grün">shout</button>
    <u id="heard">{@heard}</u>
    <b id="here">{@here}</b>
    <button id="append" phx-click="append">append</button>
    <button id="remove" phx-click="remove">remove</button>
    <ul id="items" phx-update="stream">
      <li :for={{id, item} <- @streams.items} id={id}>item {item.id}</li>
    </ul>
    <form id="files" phx-change="files"><.live_file_input upload={@uploads.file} /></form>
    <s id="sent">{@sent}</s>
    {live_render(@socket, RainbowWeb.ChildLive, id: "child")}
    """
  end

  @impl true
  def handle_event("validate", %{"name" => name}, socket),
    do: {:noreply, assign(socket, name: name)}

  def handle_event("files", _params, socket), do: {:noreply, socket}

  def handle_event("go", _params, socket),
    do: {:noreply, push_patch(socket, to: "/features?there=" <> URI.encode_www_form("grün"))}

  def handle_event("shout", %{"text" => text}, socket) do
    :ok = Phoenix.PubSub.broadcast(Rainbow.PubSub, @topic, {:shout, text})
    {:noreply, socket}
  end

  def handle_event("append", _params, socket),
    do: {:noreply, stream_insert(socket, :items, %{id: 3})}

  def handle_event("remove", _params, socket),
    do: {:noreply, stream_delete(socket, :items, %{id: 1})}

  @impl true
  def handle_info({:shout, text}, socket), do: {:noreply, assign(socket, heard: text)}

  def handle_info(%{event: "presence_diff"}, socket),
    do: {:noreply, assign(socket, here: here())}

  defp here, do: @topic |> Presence.list() |> map_size()

  defp progress(:file, %{done?: true} = entry, socket) do
    sent =
      consume_uploaded_entry(socket, entry, fn %{path: path} ->
        data = File.read!(path)
        {:ok, "#{byte_size(data)} #{:erlang.crc32(data)}"}
      end)

    {:noreply, assign(socket, sent: sent)}
  end

  defp progress(:file, _entry, socket), do: {:noreply, socket}
end

defmodule RainbowWeb.ChildLive do
  @moduledoc "A view in a view."
  use Phoenix.LiveView

  @impl true
  def mount(_params, _session, socket), do: {:ok, assign(socket, count: 0)}

  @impl true
  def render(assigns), do: ~H|<b id="inner">child {@count}</b>|
end
