defmodule RainbowWeb.RainbowLive do
  @moduledoc """
  A hundred diffs a second of sixty bars, a counter and an upload: what a page does over its socket.
  """
  use Phoenix.LiveView

  @every_ms 10
  @bars 60

  @impl true
  def mount(_params, _session, socket) do
    if connected?(socket), do: send(self(), :tick)

    {:ok,
     socket
     |> assign(frame: 0, clicks: 0, bars: bars(0), running: true, uploaded: [])
     |> allow_upload(:file, accept: :any, max_entries: 1, auto_upload: true, progress: &progress/3)}
  end

  @impl true
  def render(assigns) do
    ~H"""
    <h1>Rainbow</h1>
    <p>
      Frame {@frame}, carried by <strong id="wire" phx-update="ignore"></strong>: <a href="?wire=json">JSON</a>
      or <a href="?wire=etf">terms</a>. <span id="figures" phx-update="ignore"></span>
    </p>
    <p>
      <button phx-click="click">clicked {@clicks} times</button>
      <button phx-click="toggle">{if @running, do: "stop", else: "go on"}</button>
    </p>
    <div class="rainbow">
      <div :for={{hue, height} <- @bars} style={"background: hsl(#{hue} 80% 60%); height: #{height}%"}></div>
    </div>
    <form id="upload" phx-change="validate">
      <.live_file_input upload={@uploads.file} />
      <span :for={{name, size} <- @uploaded}>{name}: {size} bytes </span>
    </form>
    """
  end

  @impl true
  def handle_info(:tick, socket) do
    Process.send_after(self(), :tick, @every_ms)
    {:noreply, if(socket.assigns.running, do: next_frame(socket), else: socket)}
  end

  @impl true
  def handle_event("click", _params, socket), do: {:noreply, update(socket, :clicks, &(&1 + 1))}

  def handle_event("toggle", _params, socket), do: {:noreply, update(socket, :running, &(not &1))}
  def handle_event("validate", _params, socket), do: {:noreply, socket}

  defp progress(:file, entry, socket) do
    if entry.done? do
      file =
        consume_uploaded_entry(socket, entry, fn %{path: path} ->
          {:ok, {entry.client_name, File.stat!(path).size}}
        end)

      {:noreply, update(socket, :uploaded, &[file | &1])}
    else
      {:noreply, socket}
    end
  end

  defp next_frame(socket) do
    frame = socket.assigns.frame + 1
    assign(socket, frame: frame, bars: bars(frame))
  end

  defp bars(frame) do
    for bar <- 1..@bars do
      {rem(bar * 6 + frame * 3, 360), Float.round(50 + 45 * :math.sin((bar + frame) / 6), 2)}
    end
  end
end
