defmodule Aldis.EtfTest do
  use ExUnit.Case, async: true
  doctest Aldis.Etf

  defmodule User do
    @derive {Aldis.Etf.Encoder, only: [:id, :born]}
    defstruct id: 1, born: ~D[2000-01-02], password: "secret"
  end

  defmodule Account do
    @derive {Aldis.Etf.Encoder, except: [:secret]}
    defstruct owner: %User{}, secret: 1
  end

  defmodule Open do
    @derive Aldis.Etf.Encoder
    defstruct a: 1, b: nil
  end

  defmodule Closed do
    defstruct a: 1
  end

  defmodule Known do
    defstruct id: 1, at: ~D[2024-02-29]

    defimpl Jason.Encoder do
      def encode(known, _),
        do: [~s({"known":), Integer.to_string(known.id), ~s(,"at":[1.5,null]}) | []]
    end
  end

  defmodule Both do
    @derive {Aldis.Etf.Encoder, only: [:a]}
    defstruct a: 1

    defimpl Jason.Encoder do
      def encode(_, _), do: ~s("by Jason")
    end
  end

  defmodule Holder do
    defstruct inner: %Closed{}

    defimpl Jason.Encoder do
      def encode(holder, _), do: Jason.written(holder.inner)
    end
  end

  defp sent(term, options \\ []),
    do: term |> Aldis.Etf.encode!(options) |> :erlang.binary_to_term()

  test "structs of the calendar are ISO 8601 text" do
    assert sent([
             ~D[2024-02-29],
             ~T[12:34:56.7],
             ~N[2024-02-29 12:00:00],
             ~U[2024-02-29 12:00:00Z]
           ]) ==
             ["2024-02-29", "12:34:56.7", "2024-02-29T12:00:00", "2024-02-29T12:00:00Z"]
  end

  test "any date and time is what the calendar's own functions write" do
    :rand.seed(:exsss, {1, 2, 3})
    pick = fn first, last -> first + :rand.uniform(last - first + 1) - 1 end

    for _ <- 1..3000 do
      {:ok, date} = Date.new(pick.(-200, 9999), pick.(1, 12), pick.(1, 28))
      precision = pick.(0, 6)

      {:ok, time} =
        Time.new(pick.(0, 23), pick.(0, 59), pick.(0, 59), {pick.(0, 999_999), precision})

      {:ok, naive} = NaiveDateTime.new(date, time)
      {:ok, utc} = DateTime.new(date, time)
      zoned = %{utc | time_zone: "Europe/Berlin", zone_abbr: "CET", utc_offset: 3600}

      assert sent([date, time, naive, utc, zoned, %{zoned | utc_offset: 0}]) == [
               Date.to_iso8601(date),
               Time.to_iso8601(time),
               NaiveDateTime.to_iso8601(naive),
               DateTime.to_iso8601(utc),
               DateTime.to_iso8601(zoned),
               DateTime.to_iso8601(%{zoned | utc_offset: 0})
             ]
    end
  end

  defmodule Odd do
    @derive {Aldis.Etf.Encoder, except: [:"no variable"]}
    defstruct [:valid?, :Upper, :"with space", :end, :"no variable"]
  end

  test "fields of any name" do
    assert sent(struct!(Odd, end: 1)) == %{valid?: nil, Upper: nil, "with space": nil, end: 1}
  end

  test "structs among many other terms, and text in them that is none" do
    many = Enum.to_list(1000..1100)
    odd = %Odd{valid?: [~D[2024-02-29], %{1.5 => many}], end: "grün"}

    fields = %{
      valid?: ["2024-02-29", %{"1.5" => many}],
      Upper: nil,
      "with space": nil,
      end: "grün"
    }

    for native <- [true, false], filler <- [[], many] do
      encode = &(&1 |> Aldis.Etf.encode!(native: native) |> :erlang.binary_to_term())
      assert encode.([filler, odd, %{a: odd}]) == [filler, fields, %{a: fields}]

      assert_raise ArgumentError, ~r/not UTF-8 at \[1, :a, :end\]/, fn ->
        encode.([filler, %{a: %{odd | end: <<255>>}}])
      end
    end
  end

  test "structs of libraries" do
    assert sent(%Decimal{coef: 42}) == "42"
    assert sent(%Phoenix.LiveView.JS{ops: [["hide", %{to: "#a"}]]}) == [["hide", %{to: "#a"}]]

    assert sent(%Jason.OrderedObject{values: [{"b", 1}, {"a", ~D[2024-01-01]}]}) == %{
             "b" => 1,
             "a" => "2024-01-01"
           }

    assert Aldis.Etf.Fallback.converter(Jason).(%Decimal{coef: 42}) == "42"
  end

  test "derived structs show the chosen fields, and structs in them are converted too" do
    assert sent(%{u: %User{}}) == %{u: %{id: 1, born: "2000-01-02"}}
    assert sent(%Account{}) == %{owner: %{id: 1, born: "2000-01-02"}}
    assert sent(%Open{}) == %{a: 1, b: nil}
  end

  test "deriving refuses fields that are not there" do
    assert_raise ArgumentError, ~r/no fields \[:nmae\]/, fn ->
      Code.eval_string("defmodule Typo do
        @derive {Aldis.Etf.Encoder, only: [:nmae]}
        defstruct [:name]
      end")
    end

    for options <- ["only: :name", "[:name]", "only: [:name], except: []"] do
      assert_raise ArgumentError, ~r/takes only: or except: with a list/, fn ->
        Code.eval_string("defmodule Typo do
          @derive {Aldis.Etf.Encoder, #{options}}
          defstruct [:name]
        end")
      end
    end
  end

  test "refusals say where and what to do" do
    for {term, message} <- [
          {%{a: [1, %Closed{}]},
           ~r/cannot encode %Aldis.EtfTest.Closed{} at \[:a, 1\]: derive Aldis.Etf.Encoder/},
          {[user: 1], ~r/a tuple at \[0\]/},
          {%{"pid" => self()}, ~r/a pid at \["pid"\]/},
          {[make_ref()], ~r/a reference at \[0\]/},
          {%{f: &hd/1}, ~r/a function at \[:f\]/},
          {%{{1, 2} => 1},
           ~r/a map's key that is a tuple at \[\]: use binaries, atoms or numbers/},
          {%{a: %Jason.Fragment{encode: nil}},
           ~r/%Jason.Fragment{} at \[:a\]: .* fallback: Jason/},
          {{:bytes, [1]}, ~r/a tuple/},
          {%{s: <<1::3>>}, ~r/a bitstring at \[:s\]/},
          {%{s: [1 | 2]}, ~r/an improper list at \[:s\]/}
        ] do
      assert_raise ArgumentError, message, fn -> Aldis.Etf.encode!(term) end
    end
  end

  test "text is checked unless that is turned off; bytes are marked" do
    for native <- [true, false] do
      assert sent(<<255>>, utf8: false, native: native) == <<255>>
      assert sent(%{a: {:bytes, <<255>>}}, native: native) == %{a: {:bytes, <<255>>}}

      assert_raise ArgumentError, ~r/not UTF-8 at \[:a\]: send bytes as {:bytes, data}/, fn ->
        Aldis.Etf.encode!(%{a: <<255>>}, native: native)
      end
    end

    assert Aldis.Etf.decode(:erlang.term_to_binary([{:bytes, <<255>>}])) ==
             {:ok, [{:bytes, <<255>>}]}
  end

  test "keys that are floats are text, as in JSON" do
    assert sent(%{1.5 => %{-2.0 => ~D[2024-02-29]}}) == %{"1.5" => %{"-2.0" => "2024-02-29"}}
  end

  describe "fallback" do
    test "structs of a JSON library's protocol, and text of JSON, are what the library makes of them" do
      assert sent([%Known{}, %{k: %Known{id: 2}}], fallback: Jason) ==
               [%{"known" => 1, "at" => [1.5, nil]}, %{k: %{"known" => 2, "at" => [1.5, nil]}}]

      fragment = %Jason.Fragment{encode: fn _ -> [~s({"n":), "9007199254740993", "}"] end}
      assert sent(%{raw: fragment}, fallback: Jason) == %{raw: %{"n" => 9_007_199_254_740_993}}
    end

    test "Aldis.Etf.Encoder comes first" do
      assert sent([%Both{}, ~D[2024-02-29]], fallback: Jason) == [%{a: 1}, "2024-02-29"]
    end

    test "what neither knows is refused where it is" do
      assert_raise ArgumentError,
                   ~r/%Aldis.EtfTest.Known{} at \[0\]: .*the option fallback: takes that/,
                   fn ->
                     sent([%Known{}])
                   end

      assert_raise ArgumentError, ~r/%Aldis.EtfTest.Closed{} at \[:a\]/, fn ->
        sent(%{a: %Closed{}}, fallback: Jason)
      end

      assert_raise Protocol.UndefinedError, ~r/Closed/, fn ->
        sent([%Holder{}], fallback: Jason)
      end
    end

    if Code.ensure_loaded?(JSON) do
      defmodule New do
        @derive JSON.Encoder
        defstruct a: 1
      end

      test "Elixir's own JSON" do
        assert sent([struct!(New)], fallback: JSON) == [%{"a" => 1}]

        assert_raise ArgumentError, ~r/Closed{} at \[0\]/, fn ->
          sent([%Closed{}], fallback: JSON)
        end
      end
    end
  end

  test "options that are none" do
    for {options, message} <- [
          {[utf: true], ~r/got: utf: true/},
          {[utf8: nil], ~r/got: utf8: nil/},
          {[fallback: NoSuchModule], ~r/NoSuchModule is no module with encode!\/1/},
          {[fallback: "Jason"], ~r/expected fallback: a module/}
        ] do
      assert_raise ArgumentError, message, fn -> Aldis.Etf.encode!([], options) end
    end
  end

  test "keys stay what they are" do
    diff = %{0 => "a", :s => ["<", ">"], "c" => %{1 => nil}}
    assert sent(diff) == diff
  end

  test "limits are options" do
    frame = :erlang.term_to_binary([[1000]])
    assert Aldis.Etf.decode(frame) == {:ok, [[1000]]}
    assert Aldis.Etf.decode(frame, max_depth: 1) == {:error, {:too_deep, 6}}
  end
end
