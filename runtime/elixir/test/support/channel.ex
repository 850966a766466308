defmodule Aldis.TestChannel do
  @moduledoc false
  # What the test server's channels do with a client's events.

  def joined(payload), do: %{hello: payload["name"], at: ~D[2024-02-29], admin: false, none: nil}

  @doc "The first rendering of a page with a counter and a list, as LiveView 1.2 sends it."
  def mounted do
    %{
      :s => [
        ~s(<button id="add" phx-click="add" phx-value-by="2">added ),
        ~s(</button><button id="grow" phx-click="grow">grow</button><ul id="rows">),
        "</ul>"
      ],
      0 => "0",
      1 => %{s: ["<li>", "</li>"], k: %{0 => %{0 => "a"}, 1 => %{0 => "b"}, :kc => 2}}
    }
  end

  def presence(payload, kind) do
    meta = %{metas: [%{phx_ref: "F1", online_at: 1_700_000_000, typing: false}]}
    Map.put(%{joins: %{}, leaves: %{}}, kind, %{(payload["name"] || "anonymous") => meta})
  end

  def handle("echo", payload), do: {:reply, :ok, %{echo: payload}}
  def handle("refuse", _), do: {:reply, :error, %{reason: :not_allowed}}
  def handle("shout", payload), do: {:broadcast, "shout", payload}

  def handle("chunk", {:binary, data}),
    do: {:reply, :ok, %{size: byte_size(data), crc: :erlang.crc32(data)}}

  def handle("binary_echo", {:binary, data}), do: {:reply, :ok, {:binary, data}}
  def handle("binary_push", {:binary, data}), do: {:push, "bytes", {:binary, data}}
  def handle("binary_shout", {:binary, data}), do: {:broadcast, "bytes", {:binary, data}}

  def handle("leave_presence", payload),
    do: {:broadcast, "presence_diff", presence(payload, :leaves)}

  def handle("values", _), do: {:reply, :ok, values()}
  def handle("rainbow", %{"every" => every, "count" => count}), do: {:ticks, every, count}
  def handle("drop", _), do: :drop

  # What LiveView's channel would answer: a click with a reply that has an event of the application, then a push.
  def handle("event", %{"event" => "add", "value" => %{"by" => by}}),
    do:
      {:reply, :ok,
       %{diff: %{0 => by, :t => "by #{by}", :e => [["added", %{on: ~D[2024-02-29]}]]}}}

  def handle("event", %{"event" => "grow"}) do
    rows = %{0 => [1, %{0 => "B"}], 1 => 0, 2 => %{0 => "grün"}, :kc => 3, :km => 2}
    {:push, "diff", %{1 => %{k: rows}}}
  end

  # What a client has to see the same in JSON and in terms.
  defp values do
    %{
      :atoms => [:ok, nil, true, false],
      :small_list => [1, 2, 3],
      :numbers => [0, -1, 255, 256, 1_700_000_000_000, 9_007_199_254_740_991, 1.5, -0.25],
      :nested => %{0 => "a", 1 => %{s: ["<b>", "</b>"]}, "text" => "grün 東京 \u{1F308}"},
      :empty => [[], %{}, ""],
      "date" => ~U[2024-02-29 12:00:00Z],
      "__proto__" => %{"polluted" => true}
    }
  end

  @bars 60

  @doc "A frame of the rainbow as LiveView would send it: integer keys for the changed parts, statics left out."
  def rainbow(count) do
    bars =
      for bar <- 0..(@bars - 1), into: %{} do
        hue = rem(bar * 6 + count * 3, 360)

        {bar,
         %{
           0 => hue,
           1 => Float.round(50 + 45 * :math.sin((bar + count) / 6), 2),
           2 => "bar-#{bar}"
         }}
      end

    %{0 => count, 1 => bars, :t => "frame #{count}"}
  end
end
