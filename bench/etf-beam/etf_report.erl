%% @doc The findings of the bench, as aligned text and as JSON.
-module(etf_report).

-export([against_json/1, table/2, pace/2, sizes/1, json/1]).

-type row() :: #{name := atom(), best := float(), median := float(), spread := [float()], ratio := float(), of_bests := float()}.
-type race() :: #{load := string(), sizes := #{atom() => pos_integer()}, asked := number() | none, rows := [row()]}.

%% @doc The results with their ratios to the fastest JSON, which stands first.
-spec against_json([race:result()]) -> [row()].
against_json(Results) ->
    {Jsons, Others} = lists:partition(fun is_json/1, Results),
    [Fastest | _] = Sorted = lists:sort(fun(#{best := A}, #{best := B}) -> A =< B end, Jsons),
    #{best := Best} = Fastest,
    [
        maps:remove(times, Row#{ratio := race:ratio(Row, Fastest), of_bests := maps:get(best, Row) / Best})
     || Row <- Sorted ++ Others
    ].

is_json(#{name := Name}) -> lists:prefix("JSON", atom_to_list(Name)).

%% @doc Races of JSON, the VM's own function, and ours.
-spec table(string(), [race()]) -> ok.
table(Title, Races) ->
    io:format("~n~ts~n~-17s~-32s~10s~10s~20s~9s~9s~9s~9s~n", [
        Title, "", "", "best", "median", "quartiles", "JSON x", "of bests", "asked", "VM x"
    ]),
    lists:foreach(fun rows/1, Races).

rows(#{load := Load, sizes := #{etf := Etf, json := Json}, asked := Asked, rows := Rows}) ->
    [Vm] = [Row || #{name := Name} = Row <- Rows, lists:prefix("VM", atom_to_list(Name))],
    Heads = [Load, io_lib:format("  ~b B,", [Etf]), io_lib:format("  JSON ~b B", [Json]) | lists:duplicate(length(Rows), "")],
    [row(Head, Row, Asked, Vm) || {Head, Row} <- lists:zip(lists:sublist(Heads, length(Rows)), Rows)],
    ok.

row(Head, #{name := Name, best := Best, median := Median, spread := [Low, High], ratio := Ratio, of_bests := OfBests}, Asked, #{best := VmBest}) ->
    Wanted = [io_lib:format("~.1f", [float(Asked)]) || Asked =/= none, lists:prefix("aldis", atom_to_list(Name))],
    io:format("~-17ts~-32ts~10s~10s~20s~9.2f~9.2f~9s~9.2f~n", [
        Head, Name, time(Best), time(Median), [time(Low), " .. ", time(High)], 1 / Ratio, 1 / OfBests, Wanted, Best / VmBest
    ]).

%% @doc Bytes of the messages written, as they are and deflated.
-spec sizes([race()]) -> ok.
sizes(Races) ->
    io:format("~nBytes on the wire~n~-17s~9s~9s~9s~18s~16s~9s~n", ["", "JSON", "terms", "x", "JSON, deflated", "terms, deflated", "x"]),
    [
        io:format("~-17ts~9b~9b~9.2f~18b~16b~9.2f~n", [Load, Json, Etf, Etf / Json, JsonDeflated, EtfDeflated, EtfDeflated / JsonDeflated])
     || #{load := Load, sizes := #{etf := Etf, json := Json, etf_deflated := EtfDeflated, json_deflated := JsonDeflated}} <- Races
    ],
    ok.

%% @doc Medians at a page's pace.
-spec pace(string(), [race()]) -> ok.
pace(Title, Races) ->
    io:format("~n~ts~n~-17s~-32s~10s~20s~9s~n", [Title, "", "", "median", "quartiles", "JSON x"]),
    [
        io:format("~-17ts~-32ts~10s~20s~9.2f~n", [Head, Name, time(Median), [time(Low), " .. ", time(High)], 1 / Ratio])
     || #{load := Load, rows := Rows} <- Races,
        {Head, #{name := Name, median := Median, spread := [Low, High], ratio := Ratio}} <-
            lists:zip([Load | lists:duplicate(length(Rows) - 1, "")], Rows)
    ],
    ok.

time(Nanoseconds) when Nanoseconds < 10000 -> io_lib:format("~b ns", [round(Nanoseconds)]);
time(Nanoseconds) -> io_lib:format("~.1f us", [Nanoseconds / 1000]).

%% @doc The same as JSON, for the plot and for who wants to compare.
-spec json(term()) -> iodata().
json(Results) -> [value(Results, "\n"), $\n].

%% Written here, since which library there is differs from machine to machine.
value(Map, Indent) when is_map(Map) ->
    Deeper = [Indent, " "],
    Pairs = [[Deeper, $", atom_to_binary(Key), "\": ", value(Value, Deeper)] || {Key, Value} <- lists:sort(maps:to_list(Map))],
    ["{", lists:join(",", Pairs), Indent, "}"];
value([Char | _] = String, _) when is_integer(Char) -> [$", unicode:characters_to_binary(String), $"];
value([Number | _] = Numbers, Indent) when is_number(Number) -> ["[", lists:join(", ", [value(One, Indent) || One <- Numbers]), "]"];
value(List, Indent) when is_list(List) ->
    Deeper = [Indent, " "],
    ["[", lists:join(",", [[Deeper, value(Item, Deeper)] || Item <- List]), Indent, "]"];
value(none, _) -> "null";
value(Value, _) when is_boolean(Value) -> atom_to_list(Value);
value(Name, _) when is_atom(Name) -> [$", atom_to_binary(Name), $"];
value(Float, _) when is_float(Float) -> float_to_binary(Float, [{decimals, 3}, compact]);
value(Integer, _) -> integer_to_binary(Integer).
