%% @doc The findings of the bench, as an aligned table and as JSON.
-module(beam_report).

-export([text/3, json/1]).
-export_type([times/0]).

-type times() :: #{best := float(), median := float(), spread := [float()], ratio => float(), of_bests => float()}.
-type row() :: #{
    name := string(), bytes := pos_integer(), operation := beam_messages:operation(), aldis := times(), words := float(),
    roomy := #{aldis := times(), vm => times(), hand => times()}, vm => times(), hand => times(), limit := [{vm | hand, float()}]
}.

%% @doc The table of Erlang against the VM and hand-written code, and that of Elixir against Erlang where there are rows of it.
-spec text(Versions :: #{atom() => string()}, [row()], [elixir_bench:row()]) -> iodata().
text(#{otp := Otp, erts := Erts, flavor := Flavor, machine := Machine} = Versions, Rows, Elixir) ->
    [
        io_lib:format("Erlang/OTP ~s (erts ~s, ~s), ~s. Nanoseconds a message.~n~n", [Otp, Erts, Flavor, Machine]),
        io_lib:format("~-33s~7s  ~-17s~9s~9s~18s~9s~7s~7s~9s~7s~7s~13s~8s~9s~7s~7s~n", [
            "", "bytes", "", "best", "median", "quartiles", "VM", "x", "bests", "by hand", "x", "bests", "limit", "words", "roomy", "VM x",
            "hand x"
        ]),
        lists:map(fun row/1, lists:zip(heads(Rows), Rows)),
        "\nVM: term_to_binary/1, binary_to_term/1 of the equal record. x: our time to theirs in the same round, median of all\n"
        "rounds; bests: our best time to theirs. A limit is of x; \"over\" is where the median, \"(over)\" where only one of\n"
        "the two ratios is beyond it. Each time is that of a process with the heap that every process begins with; roomy: the\n"
        "median, and x, of one with a heap of 200,000 words, which collects no garbage while it is timed. words: of the heap\n"
        "that a message of ours takes, result and garbage.\n",
        elixir(Versions, Elixir)
    ].

elixir(_, []) -> "";
elixir(#{elixir := Version}, Rows) ->
    [
        io_lib:format("~nElixir ~s against Erlang, of the same schema. Nanoseconds a message.~n~n", [Version]),
        io_lib:format("~-33s~7s  ~-17s~9s~9s~9s~9s~7s~7s~n", [
            "", "bytes", "", "Erlang", "median", "Elixir", "median", "x", "bests"
        ]),
        lists:map(fun elixir_row/1, lists:zip(heads(Rows), Rows))
    ].

elixir_row({Head, #{bytes := Bytes, operation := Operation, erlang := Erlang, elixir := Elixir}}) ->
    #{ratio := Ratio, of_bests := OfBests} = Elixir,
    Times = [number(maps:get(Key, Times)) || Times <- [Erlang, Elixir], Key <- [best, median]],
    io_lib:format("~-33ts~7b  ~-17ts~9s~9s~9s~9s~7.2f~7.2f~n", [Head, Bytes, operation(Operation)] ++ Times ++ [Ratio, OfBests]).

%% A message's name stands in its first row.
heads(Rows) -> heads(Rows, "").

heads([#{name := Name} | Rest], Name) -> ["" | heads(Rest, Name)];
heads([#{name := Name} | Rest], _) -> [Name | heads(Rest, Name)];
heads([], _) -> [].

row({Head, #{bytes := Bytes, operation := Operation, aldis := #{best := Best, median := Median, spread := [Low, High]}} = Row}) ->
    #{words := Words, roomy := #{aldis := #{median := Roomy}} = Large} = Row,
    io_lib:format("~-33ts~7b  ~-17ts~9s~9s~18s~s~s~13s~8b~9s~s~s~n", [
        Head, Bytes, operation(Operation), number(Best), number(Median), [number(Low), " .. ", number(High)],
        other(vm, Row), other(hand, Row), limit(Row), round(Words), number(Roomy), large(vm, Large), large(hand, Large)
    ]).

operation({read, Field}) -> ["read ", atom_to_list(Field)];
operation(iolist) -> "encode, iolist";
operation(json_encode) -> "to JSON";
operation(json_decode) -> "from JSON";
operation(Operation) -> atom_to_list(Operation).

other(Who, Row) ->
    case Row of
        #{Who := #{median := Median, ratio := Ratio, of_bests := OfBests}} ->
            io_lib:format("~9s~7.2f~7.2f", [number(Median), Ratio, OfBests]);
        #{} -> io_lib:format("~23s", [""])
    end.

large(Who, Large) ->
    case Large of
        #{Who := #{ratio := Ratio}} -> io_lib:format("~7.2f", [Ratio]);
        #{} -> io_lib:format("~7s", [""])
    end.

limit(#{limit := []}) -> "";
limit(#{limit := [{Against, AtMost}]} = Row) ->
    #{Against := #{ratio := Ratio, of_bests := OfBests}} = Row,
    Verdict = case {Ratio =< AtMost, OfBests =< AtMost} of
        {true, true} -> "";
        {false, false} -> " over";
        _ -> " (over)"
    end,
    io_lib:format("~.2f~s", [AtMost, Verdict]).

number(Nanoseconds) when Nanoseconds < 100 -> io_lib:format("~.1f", [Nanoseconds]);
number(Nanoseconds) -> io_lib:format("~b", [round(Nanoseconds)]).

%% @doc Maps, lists of maps, text and numbers as JSON.
-spec json(term()) -> iodata().
json(Results) -> [value(Results), $\n].

value(Map) when is_map(Map) ->
    [${, lists:join($,, [[$", atom_to_list(Key), "\":", value(Value)] || {Key, Value} <- lists:sort(maps:to_list(Map))]), $}];
value({Against, AtMost}) when is_float(AtMost) -> value(#{against => Against, at_most => AtMost});
value({read, Field}) -> value(["read ", atom_to_list(Field)]);
value([]) -> "[]";
value([Item | _] = List) when is_map(Item); is_float(Item); is_tuple(Item) ->
    [$[, lists:join(",\n", [value(Element) || Element <- List]), $]];
value(Float) when is_float(Float) -> float_to_list(Float, [{decimals, 3}, compact]);
value(Integer) when is_integer(Integer) -> integer_to_list(Integer);
value(Atom) when is_atom(Atom) -> [$", atom_to_list(Atom), $"];
value(Text) -> [$", Text, $"].
