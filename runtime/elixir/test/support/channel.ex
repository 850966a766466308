defmodule Aldis.TestChannel do
  @moduledoc false
  # The answers of the test server's channels to a client's events.

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

  @doc "The same of a view in a view, and of the parts that come with a page of features."
  def child, do: %{:s => [~s(<b id="inner">child ), "</b>"], 0 => "0"}

  @nested ~s(<div id="phx-child" data-phx-session="child" data-phx-static="child" data-phx-parent-id="phx-test"></div>)
  @form ~s(<form id="form" phx-change="validate"><input id="name" name="name"></form><i id="echo">)
  @clicks ~s(<button id="paint" phx-click="paint" phx-hook="Painter">paint </button><button id="go" phx-click="go">go</button>) <>
            ~s(<button id="shout" phx-click="shout" phx-value-text="grün">shout</button>) <>
            ~s(<button id="append" phx-click="append">append</button><button id="remove" phx-click="remove">remove</button>)
  @file_input ~s(<form id="files" phx-change="files"><input id="file" type="file" name="file" data-phx-update="ignore" ) <>
                ~s(data-phx-hook="Phoenix.LiveFileUpload" data-phx-auto-upload data-phx-upload-ref="phx-up" data-phx-active-refs=")

  @doc "A page of features, seen by so many."
  def features(here) do
    %{
      :s => [
        @form,
        "</i>" <> @clicks <> ~s(<em id="painted">),
        ~s(</em><b id="here">),
        ~s(</b><u id="heard">),
        ~s(</u><ul id="items" phx-update="stream">),
        "</ul>" <> @file_input,
        ~s(" data-phx-preflighted-refs="),
        ~s(" data-phx-done-refs=""></form><s id="sent">),
        "</s>" <> @nested
      ],
      0 => "",
      1 => "",
      2 => "#{here}",
      3 => "",
      4 => Map.put(stream([1, 2], []), :s, [~s(<li id="item-), ~s(">item ), "</li>"]),
      5 => "",
      6 => "",
      7 => ""
    }
  end

  # The message of a LiveView stream for items that come and go: where they are put, and their markup once.
  defp stream(added, removed) do
    rows = for {item, at} <- Enum.with_index(added), do: {at, %{0 => "#{item}", 1 => "#{item}"}}
    inserts = for item <- added, do: ["item-#{item}", -1, nil, false]

    %{
      k: rows |> Map.new() |> Map.put(:kc, length(added)),
      stream: ["0", inserts, for(item <- removed, do: "item-#{item}")]
    }
  end

  def presence(payload, kind) do
    meta = %{metas: [%{phx_ref: "F1", online_at: 1_700_000_000, typing: false}]}
    Map.put(%{joins: %{}, leaves: %{}}, kind, %{(payload["name"] || "anonymous") => meta})
  end

  def handle("echo", payload), do: {:reply, :ok, %{echo: payload}}
  # Bytes of any kind, with their text beside them, both as a reply and as a broadcast.
  def handle("bytes", %{"data" => {:bytes, data}, "more" => [{:bytes, more}]} = payload) do
    {:reply, :ok,
     %{crc: :erlang.crc32(data), text: payload["text"], back: {:bytes, data <> more}, none: []}}
  end

  def handle("shout_bytes", %{"size" => size}),
    do: {:broadcast, "painted", %{size: size, pixels: {:bytes, pixels(size)}}}

  def handle("no_text", _), do: {:reply, :ok, %{name: <<255, 254>>}}
  def handle("refuse", _), do: {:reply, :error, %{reason: :not_allowed}}
  def handle("shout", payload), do: {:broadcast, "shout", payload}

  def handle("chunk", {:binary, data}) do
    {size, crc} = Process.get(:uploaded, {0, :erlang.crc32("")})
    Process.put(:uploaded, {size + byte_size(data), :erlang.crc32(crc, data)})
    {:reply, :ok, %{size: byte_size(data), crc: :erlang.crc32(data)}}
  end

  def handle("binary_echo", {:binary, data}), do: {:reply, :ok, {:binary, data}}
  def handle("binary_push", {:binary, data}), do: {:push, "bytes", {:binary, data}}
  def handle("binary_shout", {:binary, data}), do: {:broadcast, "bytes", {:binary, data}}

  def handle("leave_presence", payload),
    do: {:broadcast, "presence_diff", presence(payload, :leaves)}

  def handle("values", _), do: {:reply, :ok, values()}
  def handle("rainbow", %{"every" => every, "count" => count}), do: {:ticks, every, count}
  def handle("drop", _), do: :drop

  # The time that writing this connection's frames took, and the processor's time of the whole server until now.
  def handle("served", _) do
    {frames, nanoseconds} = Process.get(:served)
    {milliseconds, _} = :erlang.statistics(:runtime)
    {:reply, :ok, %{frames: frames, us: nanoseconds / frames / 1000, cpu: milliseconds * 1000}}
  end

  # LiveView's channel would answer like this: a click with a reply that has an event of the application, then a push.
  def handle("event", %{"event" => "add", "value" => %{"by" => by}}),
    do:
      {:reply, :ok,
       %{diff: %{0 => by, :t => "by #{by}", :e => [["added", %{on: ~D[2024-02-29]}]]}}}

  # Bytes in an event to the page, and from it in the event that the page answers with.
  def handle("event", %{"event" => "paint"}),
    do:
      {:reply, :ok,
       %{diff: %{1 => "paint", :e => [["painted", %{pixels: {:bytes, <<0, 255, 131>>}}]]}}}

  def handle("event", %{"event" => "picture", "value" => %{"data" => {:bytes, data}}}),
    do: {:reply, :ok, %{diff: %{1 => "picture #{byte_size(data)} #{:erlang.crc32(data)}"}}}

  def handle("event", %{"event" => "validate", "value" => form}),
    do: {:reply, :ok, %{diff: %{0 => URI.decode_query(form)["name"]}}}

  def handle("event", %{"event" => "shout", "value" => %{"text" => text}}),
    do: {:views, %{3 => text}}

  def handle("event", %{"event" => "append"}), do: {:reply, :ok, %{diff: %{4 => stream([3], [])}}}
  def handle("event", %{"event" => "remove"}), do: {:reply, :ok, %{diff: %{4 => stream([], [1])}}}

  # An upload: a file is chosen, allowed, sent in chunks over a channel of its own, and said to be there.
  def handle("event", %{"event" => "files", "uploads" => uploads}) do
    Process.delete(:uploaded)
    {:reply, :ok, %{diff: %{5 => refs(uploads["phx-up"])}}}
  end

  def handle("event", %{"event" => "go"}),
    do: {:push, "live_patch", %{kind: "push", to: "/features?there=grün"}}

  def handle("event", %{"event" => "grow"}) do
    rows = %{0 => [1, %{0 => "B"}], 1 => 0, 2 => %{0 => "grün"}, :kc => 3, :km => 2}
    {:push, "diff", %{1 => %{k: rows}}}
  end

  def handle("allow_upload", %{"ref" => ref, "entries" => entries}) do
    config = %{
      chunk_size: 64_000,
      max_file_size: 8_000_000,
      max_entries: 1,
      chunk_timeout: 10_000
    }

    tokens = for entry <- entries, into: %{}, do: {entry["ref"], "token"}
    diff = %{5 => refs(entries), 6 => refs(entries)}
    {:reply, :ok, %{ref: ref, config: config, entries: tokens, errors: %{}, diff: diff}}
  end

  def handle("progress", %{"progress" => 100, "entry_ref" => ref}) do
    {size, crc} = Process.get(:uploaded)
    {:close, "lvu:" <> ref, %{diff: %{5 => "", 6 => "", 7 => "#{size} #{crc}"}}}
  end

  def handle("progress", _), do: {:reply, :ok, %{}}

  def handle("live_patch", %{"url" => url}),
    do: {:reply, :ok, %{diff: %{1 => URI.parse(url).query || ""}}}

  defp refs(entries), do: Enum.map_join(entries, ",", & &1["ref"])

  # Values that a client has to see the same in JSON and in terms.
  defp pixels(size), do: for(i <- 1..size//1, into: <<>>, do: <<rem(i * 7, 256)>>)

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
