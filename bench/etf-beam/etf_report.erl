%% @doc What the bench found, as aligned text and as JSON.
-module(etf_report).

-export([table/2, pace/2, json/1]).

-type race() :: #{load := string(), sizes := #{atom() => pos_integer()}, asked := number() | none, rows := [race:result()]}.

%% @doc Races of the first contestant, JSON, the VM's own function, which is the second, and ours.
-spec table(string(), [race()]) -> ok.
table(Title, Races) ->
    io:format("~n~ts~n~-17s~-30s~10s~10s~20s~9s~9s~9s~9s~n", [
        Title, "", "", "best", "median", "quartiles", "JSON x", "of bests", "asked", "VM x"
    ]),
    lists:foreach(fun rows/1, Races).

rows(#{load := Load, sizes := #{etf := Etf, json := Json}, asked := Asked, rows := [_, Vm | _] = Rows}) ->
    Heads = [Load, io_lib:format("  ~b B,", [Etf]), io_lib:format("  JSON ~b B", [Json]) | lists:duplicate(length(Rows), "")],
    [row(Head, Row, Asked, Vm) || {Head, Row} <- lists:zip(lists:sublist(Heads, length(Rows)), Rows)],
    ok.

row(Head, #{name := Name, best := Best, median := Median, spread := [Low, High], ratio := Ratio, of_bests := OfBests}, Asked, #{best := VmBest}) ->
    Wanted = [io_lib:format("~.1f", [float(Asked)]) || Asked =/= none, lists:prefix("aldis", atom_to_list(Name))],
    io:format("~-17ts~-30ts~10s~10s~20s~9.2f~9.2f~9s~9.2f~n", [
        Head, Name, time(Best), time(Median), [time(Low), " .. ", time(High)], 1 / Ratio, 1 / OfBests, Wanted, Best / VmBest
    ]).

%% @doc Medians at a page's pace.
-spec pace(string(), [race()]) -> ok.
pace(Title, Races) ->
    io:format("~n~ts~n~-17s~-30s~10s~20s~9s~n", [Title, "", "", "median", "quartiles", "JSON x"]),
    [
        io:format("~-17ts~-30ts~10s~20s~9.2f~n", [Head, Name, time(Median), [time(Low), " .. ", time(High)], 1 / Ratio])
     || #{load := Load, rows := Rows} <- Races,
        {Head, #{name := Name, median := Median, spread := [Low, High], ratio := Ratio}} <-
            lists:zip([Load | lists:duplicate(length(Rows) - 1, "")], Rows)
    ],
    ok.

time(Nanoseconds) when Nanoseconds < 10000 -> io_lib:format("~b ns", [round(Nanoseconds)]);
time(Nanoseconds) -> io_lib:format("~.1f us", [Nanoseconds / 1000]).

%% @doc The same as JSON, for the plot and for who wants to compare.
-spec json(term()) -> iodata().
json(Results) -> [jiffy:encode(text(Results), [pretty]), $\n].

text(Map) when is_map(Map) -> maps:map(fun(_, Value) -> text(Value) end, Map);
text([Char | _] = String) when is_integer(Char) -> unicode:characters_to_binary(String);
text(List) when is_list(List) -> [text(Item) || Item <- List];
text(none) -> null;
text(Float) when is_float(Float) -> round(Float * 1000) / 1000;
text(Other) -> Other.
