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

  defp sent(term), do: term |> Aldis.Etf.encode!() |> :erlang.binary_to_term()

  test "structs of the calendar are ISO 8601 text" do
    assert sent([
             ~D[2024-02-29],
             ~T[12:34:56.7],
             ~N[2024-02-29 12:00:00],
             ~U[2024-02-29 12:00:00Z]
           ]) ==
             ["2024-02-29", "12:34:56.7", "2024-02-29T12:00:00", "2024-02-29T12:00:00Z"]
  end

  test "structs of libraries" do
    assert sent(%Decimal{coef: 42}) == "42"
    assert sent(%Phoenix.LiveView.JS{ops: [["hide", %{to: "#a"}]]}) == [["hide", %{to: "#a"}]]

    assert sent(%Jason.OrderedObject{values: [{"b", 1}, {"a", ~D[2024-01-01]}]}) == %{
             "b" => 1,
             "a" => "2024-01-01"
           }
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
          {%{{1, 2} => 1}, ~r/a map's key that is a tuple at \[\]: use binaries/},
          {%{1.5 => 1}, ~r/a map's key that is a float/},
          {%{s: <<1::3>>}, ~r/a bitstring at \[:s\]/},
          {%{s: [1 | 2]}, ~r/an improper list at \[:s\]/}
        ] do
      assert_raise ArgumentError, message, fn -> Aldis.Etf.encode!(term) end
    end
  end

  test "text is checked when asked for" do
    assert Aldis.Etf.encode!(<<255>>) |> :erlang.binary_to_term() == <<255>>

    assert_raise ArgumentError, ~r/not UTF-8 at \[:a\]/, fn ->
      Aldis.Etf.encode!(%{a: <<255>>}, utf8: true)
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
