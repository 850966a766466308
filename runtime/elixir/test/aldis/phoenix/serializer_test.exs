defmodule Aldis.Phoenix.SerializerTest do
  use ExUnit.Case, async: true

  alias Aldis.Phoenix.Serializer
  alias Phoenix.Socket.{Broadcast, Message, Reply}

  defmodule BothWays do
    use Aldis.Phoenix.Serializer, up: :etf, max_depth: 4
  end

  defmodule Unchecked do
    use Aldis.Phoenix.Serializer, encode: [utf8: false]
  end

  defmodule ByText do
    use Aldis.Phoenix.Serializer, up: :etf, text: true
  end

  defp term({:socket_push, :binary, frame}),
    do: frame |> IO.iodata_to_binary() |> :erlang.binary_to_term()

  defp bytes({:socket_push, :binary, frame}), do: IO.iodata_to_binary(frame)

  test "a broadcast has neither ref" do
    broadcast = %Broadcast{
      topic: "room:1",
      event: "new",
      payload: %{text: "hi", at: ~D[2024-01-01]}
    }

    assert term(Serializer.fastlane!(broadcast)) == [
             nil,
             nil,
             "room:1",
             "new",
             %{text: "hi", at: "2024-01-01"}
           ]
  end

  test "pushes and replies" do
    message = %Message{join_ref: "1", ref: nil, topic: "t", event: "diff", payload: %{0 => "x"}}
    assert term(Serializer.encode!(message)) == ["1", nil, "t", "diff", %{0 => "x"}]

    reply = %Reply{join_ref: "1", ref: "7", topic: "t", status: :ok, payload: %{a: true}}

    assert term(Serializer.encode!(reply)) ==
             ["1", "7", "t", "phx_reply", %{"status" => "ok", "response" => %{a: true}}]

    assert ["1", "7", "t", "phx_reply", %{"status" => "true"}] =
             term(Serializer.encode!(%{reply | status: true}))
  end

  describe "diffs of a LiveView" do
    # As OTP marks a process that Phoenix.LiveView.Channel runs in.
    defp live_view, do: Process.put(:"$initial_call", {Phoenix.LiveView.Channel, :init, 1})
    defp push(diff), do: %Message{join_ref: "1", topic: "lv:1", event: "diff", payload: diff}
    defp pushed(diff), do: diff |> push() |> Serializer.encode!() |> term() |> List.last()

    @rendered %{
      0 => "a",
      1 => %{k: %{0 => %{0 => "x"}}, kc: 1, s: ["<", ">"]},
      :c => %{1 => %{0 => "b", :s => 0}}
    }

    test "are sent as they are" do
      live_view()
      assert pushed(@rendered) == @rendered

      reply = %Reply{
        join_ref: "1",
        ref: "2",
        topic: "lv:1",
        status: :ok,
        payload: %{diff: @rendered}
      }

      assert [
               "1",
               "2",
               "lv:1",
               "phx_reply",
               %{"status" => "ok", "response" => %{diff: @rendered}}
             ] ==
               term(Serializer.encode!(reply))
    end

    test "have structs converted in what the application adds, components included" do
      live_view()

      for part <- [:e, :r, :t, :c] do
        added = if part == :c, do: %{2 => %{e: [["at", ~D[2024-01-01]]]}}, else: ~D[2024-01-01]
        sent = if part == :c, do: %{2 => %{e: [["at", "2024-01-01"]]}}, else: "2024-01-01"
        assert pushed(Map.put(@rendered, part, added)) == Map.put(@rendered, part, sent)

        reply = %Reply{
          topic: "lv:1",
          status: :ok,
          payload: %{diff: Map.put(@rendered, part, added)}
        }

        assert List.last(term(Serializer.encode!(reply)))["response"].diff[part] == sent
      end

      assert_raise ArgumentError, ~r/a pid at \[4, :e, 0\]/, fn -> pushed(%{e: [self()]}) end
      assert_raise ArgumentError, ~r/a map's key/, fn -> pushed(%{{1} => 1}) end
      assert_raise ArgumentError, ~r/a tuple/, fn -> pushed(%{c: %{1 => {1}}}) end
    end

    test "of any other process are walked in all their parts" do
      assert pushed(%{0 => ~D[2024-01-01]}) == %{0 => "2024-01-01"}
      live_view()
      assert_raise ArgumentError, ~r/not UTF-8 at \[4, 0\]/, fn -> pushed(%{0 => <<255>>}) end

      assert <<255>> ==
               List.last(term(Unchecked.encode!(push(%{0 => <<255>>, 1 => %{s: ["a"]}}))))[0]

      broadcast = %Broadcast{topic: "lv:1", event: "diff", payload: %{0 => ~D[2024-01-01]}}
      assert List.last(term(Serializer.fastlane!(broadcast))) == %{0 => "2024-01-01"}
    end
  end

  test "payloads that are no map" do
    for payload <- [[1], "text", nil] do
      assert_raise ArgumentError, ~r/payload to be a map/, fn ->
        Serializer.fastlane!(%Broadcast{topic: "t", event: "e", payload: payload})
      end

      assert_raise ArgumentError, ~r/payload to be a map/, fn ->
        Serializer.encode!(%Message{topic: "t", event: "e", payload: payload})
      end
    end
  end

  test "a payload that is no data names the way to it" do
    assert_raise ArgumentError, ~r/a pid at \[4, :user, 0\]/, fn ->
      Serializer.fastlane!(%Broadcast{topic: "t", event: "e", payload: %{user: [self()]}})
    end
  end

  test "binary payloads in V2's frames" do
    data = <<0, 255, 131>>
    broadcast = %Broadcast{topic: "top", event: "ev", payload: {:binary, data}}
    assert bytes(Serializer.fastlane!(broadcast)) == <<2, 3, 2, "top", "ev", data::binary>>

    message = %Message{join_ref: "12", topic: "top", event: "ev", payload: {:binary, data}}
    assert bytes(Serializer.encode!(message)) == <<0, 2, 3, 2, "12", "top", "ev", data::binary>>

    reply = %Reply{join_ref: "12", ref: "3", topic: "top", status: :ok, payload: {:binary, data}}

    assert bytes(Serializer.encode!(reply)) ==
             <<1, 2, 1, 3, 2, "12", "3", "top", "ok", data::binary>>
  end

  test "names of binary frames have 255 bytes" do
    long = String.duplicate("é", 128)

    assert_raise ArgumentError, ~r/topic .* has 256 bytes/, fn ->
      Serializer.fastlane!(%Broadcast{topic: long, event: "e", payload: {:binary, ""}})
    end

    fits = String.duplicate("é", 127)

    assert <<2, 254, 1, _::binary>> =
             bytes(
               Serializer.fastlane!(%Broadcast{topic: fits, event: "e", payload: {:binary, ""}})
             )
  end

  test "binary payloads are bytes" do
    for data <- [["iodata"], <<1::3>>, nil] do
      for encode <- [
            fn ->
              Serializer.fastlane!(%Broadcast{topic: "t", event: "e", payload: {:binary, data}})
            end,
            fn ->
              Serializer.encode!(%Message{topic: "t", event: "e", payload: {:binary, data}})
            end,
            fn ->
              Serializer.encode!(%Reply{topic: "t", status: :ok, payload: {:binary, data}})
            end
          ] do
        assert_raise ArgumentError, ~r/binary payload to be a binary/, encode
      end
    end
  end

  describe "bytes inside of payloads" do
    @bytes {:bytes, <<0, 255, 131>>}

    test "to clients, in all kinds of messages" do
      broadcast = %Broadcast{
        topic: "t",
        event: "e",
        payload: %{image: @bytes, at: ~D[2024-02-29]}
      }

      assert %{image: @bytes, at: "2024-02-29"} = List.last(term(Serializer.fastlane!(broadcast)))
      reply = %Reply{topic: "t", status: :ok, payload: %{list: [@bytes]}}
      assert %{"response" => %{list: [@bytes]}} = List.last(term(Serializer.encode!(reply)))
      live_view()
      event = %{0 => "text", :e => [["play", %{audio: @bytes}]]}
      assert pushed(event) == event
    end

    test "from clients, where terms are taken" do
      frame = :erlang.term_to_binary(["1", "2", "t", "e", %{"image" => @bytes}])
      assert BothWays.decode!(frame, opcode: :binary).payload == %{"image" => @bytes}

      assert ByText.decode!(Base.encode64(frame), opcode: :text).payload == %{"image" => @bytes}
      # The transport has decoded the base64 already.
      assert ByText.decode!(frame, opcode: :binary).payload == %{"image" => @bytes}
    end

    test "are base64 to tabs that speak JSON" do
      payload = %{image: @bytes, list: [%{b: @bytes}, 1], at: ~D[2024-02-29]}
      broadcast = %Broadcast{topic: "t", event: "e", payload: payload}
      {:socket_push, :text, text} = Aldis.Phoenix.JSONSerializer.fastlane!(broadcast)

      assert List.last(Aldis.TestJson.decode!(text)) ==
               %{"image" => "AP+D", "list" => [%{"b" => "AP+D"}, 1], "at" => "2024-02-29"}

      binary = %{broadcast | payload: @bytes |> elem(1) |> then(&{:binary, &1})}
      assert {:socket_push, :binary, _} = Aldis.Phoenix.JSONSerializer.fastlane!(binary)

      assert %Message{payload: %{"a" => 1}} =
               Aldis.Phoenix.JSONSerializer.decode!(~s([null,"1","t","e",{"a":1}]), opcode: :text)
    end
  end

  describe "long polling" do
    test "carries frames in base64, V2's binary ones too" do
      broadcast = %Broadcast{topic: "t", event: "e", payload: %{image: {:bytes, <<255>>}}}

      for serializer <- [Aldis.Phoenix.LongPollSerializer, ByText] do
        {:socket_push, :text, text} = serializer.fastlane!(broadcast)

        assert text |> Base.decode64!() |> :erlang.binary_to_term() ==
                 [nil, nil, "t", "e", %{image: {:bytes, <<255>>}}]

        binary = %{broadcast | payload: {:binary, <<7>>}}
        assert {:socket_push, :text, text} = serializer.fastlane!(binary)
        assert Base.decode64!(text) == <<2, 1, 1, "te", 7>>
      end
    end

    test "takes JSON, and binary frames in base64" do
      assert ByText.decode!(~s(["1","2","t","e",{"a":1}]), opcode: :text).payload == %{"a" => 1}
      frame = <<0, 1, 1, 1, 1, "12te", 255>>
      assert ByText.decode!(Base.encode64(frame), opcode: :text).payload == {:binary, <<255>>}

      assert_raise Aldis.Etf.DecodeError, fn ->
        ByText.decode!(Base.encode64(<<131, 80, 0, 0, 1>>), opcode: :text)
      end

      # A serializer of websockets takes no base64, and one that takes JSON no terms.
      assert_raise ArgumentError, ~r/takes JSON/, fn ->
        Aldis.Phoenix.LongPollSerializer.decode!(Base.encode64(<<131, 106>>), opcode: :text)
      end
    end
  end

  test "a client's binary push" do
    frame = <<0, 1, 2, 3, 5, "1", "22", "lvu", "chunk", 131, 0>>

    assert Serializer.decode!(frame, opcode: :binary) ==
             %Message{
               join_ref: "1",
               ref: "22",
               topic: "lvu",
               event: "chunk",
               payload: {:binary, <<131, 0>>}
             }

    for broken <- [<<>>, <<0>>, <<0, 9, 9, 9, 9, 1>>, <<1, 0, 0, 0, 0>>, <<7>>] do
      assert_raise ArgumentError, ~r/binary push/, fn ->
        Serializer.decode!(broken, opcode: :binary)
      end
    end
  end

  test "JSON from clients" do
    for module <- [Serializer, BothWays] do
      assert module.decode!(~s(["1","2","t","e",{"a":1}]), opcode: :text) ==
               %Message{join_ref: "1", ref: "2", topic: "t", event: "e", payload: %{"a" => 1}}
    end
  end

  test "terms from clients where they are taken" do
    frame = :erlang.term_to_binary([nil, "2", "phoenix", "heartbeat", %{}, "more"])

    assert BothWays.decode!(frame, opcode: :binary) ==
             %Message{join_ref: nil, ref: "2", topic: "phoenix", event: "heartbeat", payload: %{}}

    assert_raise ArgumentError, ~r/takes JSON/, fn ->
      Serializer.decode!(frame, opcode: :binary)
    end
  end

  test "terms that are no messages, or hostile" do
    for term <- [%{}, [], [1, 2, 3], [1, "2", "t", "e", %{}], ["1", "2", nil, "e", %{}]] do
      assert_raise ArgumentError, ~r/expected a message/, fn ->
        BothWays.decode!(:erlang.term_to_binary(term), opcode: :binary)
      end
    end

    for {term, code} <- [{[self()], :bad_tag}, {[[[[[[]]]]]], :too_deep}, {[<<255>>], :bad_utf8}] do
      error =
        assert_raise Aldis.Etf.DecodeError, fn ->
          BothWays.decode!(:erlang.term_to_binary(term), opcode: :binary)
        end

      assert error.code == code
    end
  end

  test "a serializer's options" do
    assert_raise ArgumentError, ~r/not UTF-8/, fn ->
      BothWays.fastlane!(%Broadcast{topic: "t", event: "e", payload: %{a: <<255>>}})
    end

    assert {:limits, 8_388_608, 64, 262_144, 9, true, false} =
             Serializer.config(native: false).limits

    for {options, message} <- [
          {[up: :xml], ~r/:json or :etf, got: :xml/},
          {[max_byte: 1], ~r/expected one of max_bytes, .* got: max_byte: 1/},
          {[max_depth: :infinity], ~r/max_depth to be an integer .* got: max_depth: :infinity/},
          {[max_integer_bytes: 256], ~r/0 to 255/},
          {[utf8: nil], ~r/utf8 to be true or false/},
          {[text: 1], ~r/text: true or false/},
          {[encode: :utf8], ~r/encode: a list/},
          {[encode: [utf: true]], ~r/got: utf: true/},
          {[encode: [fallback: NoJson]], ~r/NoJson/}
        ] do
      assert_raise ArgumentError, message, fn -> Serializer.config(options) end
    end
  end

  test "is Phoenix's behaviour where Phoenix is" do
    behaviours =
      BothWays.module_info(:attributes) |> Keyword.get_values(:behaviour) |> List.flatten()

    assert Phoenix.Socket.Serializer in behaviours
  end
end
