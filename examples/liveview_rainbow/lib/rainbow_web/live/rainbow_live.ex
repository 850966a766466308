defmodule RainbowWeb.RainbowLive do
  @moduledoc """
  A hundred diffs a second of sixty bars, a counter, an upload, and a canvas whose pixels are bytes in both directions: what
  a page does over its socket.
  """
  use Phoenix.LiveView

  alias RainbowWeb.Meter

  @every_ms 10
  @bars 60

  @impl true
  def mount(_params, _session, socket) do
    if connected?(socket) do
      send(self(), :tick)
      :timer.send_interval(1000, :figures)
    end

    {:ok,
     socket
     |> assign(frame: 0, measured: {0, Meter.cpu()}, cpu: "no time yet")
     |> figures()
     |> assign(clicks: 0, bars: bars(0), running: true, uploaded: [], drawn: 0)
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
      On the server writing a frame in JSON took {written(@json)}, in terms {written(@terms)}; all of a frame takes
      its processors {@cpu} now.
    </p>
    <p>
      <button phx-click="click">clicked {@clicks} times</button>
      <button phx-click="toggle">{if @running, do: "stop", else: "go on"}</button>
    </p>
    <div class="rainbow">
      <div :for={{hue, height} <- @bars} style={"background: hsl(#{hue} 80% 60%); height: #{height}%"}></div>
    </div>
    <p>
      <canvas id="canvas" phx-hook="Canvas" phx-update="ignore" width="120" height="40"></canvas>
      <button phx-click="paint">paint</button>
      Click the canvas to send its pixels back; {@drawn} bytes came.
    </p>
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

  def handle_info(:figures, socket), do: {:noreply, figures(socket)}

  @impl true
  def handle_event("click", _params, socket), do: {:noreply, update(socket, :clicks, &(&1 + 1))}

  # Red, green, blue and opacity of each pixel, as a canvas has them.
  def handle_event("paint", _params, socket) do
    pixels =
      for y <- 0..39, x <- 0..119, into: <<>>, do: <<x * 2, y * 6, :rand.uniform(256) - 1, 255>>

    {:noreply, push_event(socket, "pixels", %{width: 120, rgba: {:bytes, pixels}})}
  end

  def handle_event("drawn", %{"rgba" => {:bytes, pixels}}, socket),
    do: {:noreply, update(socket, :drawn, &(&1 + byte_size(pixels)))}

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

  # The processor's time since the last figures, by frame of this page: it holds for one page at a time.
  defp figures(socket) do
    {frame, spent} = socket.assigns.measured
    frames = socket.assigns.frame - frame
    now = Meter.cpu()
    cpu = if frames > 0, do: "#{div(now - spent, frames)} µs", else: socket.assigns.cpu

    assign(socket,
      json: Meter.figures(:json),
      terms: Meter.figures(:terms),
      measured: {socket.assigns.frame, now},
      cpu: cpu
    )
  end

  defp written({0, _}), do: "no time yet"
  defp written({frames, each}), do: "#{each} µs (of #{frames})"

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
