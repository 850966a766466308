%% @doc Our reading and writing of terms against the JSON libraries that are there and the VM's own functions: interleaved, in
%% one run. Prints tables, then the figures as JSON, from a line that begins with `{' on.
-module(etf_bench).

-export([main/1]).

-define(SERIALIZER, 'Elixir.Aldis.Phoenix.Serializer').
%% Loads that are measured at a page's pace too.
-define(PACED, ["click", "form", "100 rows", "small diff", "rainbow", "12 kB rows"]).

%% The figures of all loads, or of those that are named.
-spec main([string()]) -> ok.
main(Names) ->
    Versions = maps:merge(etf_peers:versions(), #{
        otp => erlang:system_info(otp_release), erts => erlang:system_info(version),
        machine => erlang:system_info(system_architecture), native => aldis_etf_nif:loaded(), load_before => load()
    }),
    io:format("~ts~n", [lists:join(", ", [io_lib:format("~ts ~ts", [Key, text(Value)]) || {Key, Value} <- maps:to_list(Versions)])]),
    Up = [reads(Load) || Load <- wanted(Names, etf_loads:up())],
    Down = [writes(Load) || {_, _, Payload} = Load <- wanted(Names, etf_loads:down()), etf_peers:writers(Payload) =/= []],
    Paced = [{What, [Load || #{load := Name} = Load <- Loads, lists:member(Name, ?PACED)]} || {What, Loads} <- [{up, Up}, {down, Down}]],
    %% Before anything is hot.
    Pace = maps:from_list([{What, run(Loads, fun race:pace/2)} || {What, Loads} <- Paced]),
    Decode = run(Up, fun race:race/2),
    etf_report:table("Reading messages of clients", Decode),
    Encode = run(Down, fun race:race/2),
    etf_report:table("Writing broadcasts and pushes", Encode),
    etf_report:pace("Reading one message every 20 ms", maps:get(up, Pace)),
    etf_report:pace("Writing one message every 20 ms", maps:get(down, Pace)),
    etf_report:sizes(Encode),
    io:format(
        "~nJSON x: how many times faster than the fastest JSON of this load in the same round, median; \"of bests\" compares the~n"
        "best times. VM x: best time to that of the VM's own function on the same bytes, which checks nothing and knows no~n"
        "structs. Every batch of calls begins in a time slice of its own. The machine's load was ~ts before and ~ts after.~n",
        [maps:get(load_before, Versions), load()]
    ),
    io:put_chars(etf_report:json(#{versions => Versions#{load_after => load()}, decode => Decode, encode => Encode, pace => Pace})).

wanted([], Loads) -> Loads;
wanted(Names, Loads) -> [Load || {Name, _, _} = Load <- Loads, lists:member(Name, Names)].

%% How many processes the machine ran or wanted to run in the last minute.
load() ->
    case file:read_file("/proc/loadavg") of
        {ok, Text} -> binary_to_list(hd(binary:split(Text, <<" ">>)));
        {error, _} -> "unknown"
    end.

text(Value) when is_atom(Value) -> atom_to_list(Value);
text(Value) -> Value.

run(Loads, Measure) ->
    [
        maps:remove(contestants, Load#{rows => etf_report:against_json(Measure(Contestants, Etf))})
     || #{contestants := Contestants, sizes := #{etf := Etf}} = Load <- Loads
    ].

reads({Name, Asked, Term}) ->
    Frame = term_to_binary(Term),
    Json = etf_peers:text(Term),
    Native = aldis_etf:limits(#{}),
    Erlang = aldis_etf:limits(#{native => false}),
    Unchecked = aldis_etf:limits(#{native => false, utf8 => false}),
    [{ok, Term} = aldis_etf:decode(Frame, Limits) || Limits <- [Native, Erlang, Unchecked]],
    Contestants = etf_peers:readers(Json, Term) ++ [
        {'VM (binary_to_term)', fun() -> binary_to_term(Frame) end},
        {'aldis, check in C', fun() -> aldis_etf:decode(Frame, Native) end},
        {'aldis, Erlang alone', fun() -> aldis_etf:decode(Frame, Erlang) end},
        {'aldis, Erlang, no UTF-8 check', fun() -> aldis_etf:decode(Frame, Unchecked) end}
    ],
    #{load => Name, asked => Asked, sizes => sizes(Frame, Json), contestants => Contestants}.

writes({Name, Asked, Payload}) ->
    Broadcast = #{'__struct__' => 'Elixir.Phoenix.Socket.Broadcast', topic => <<"lv:phx-1">>, event => <<"diff">>, payload => Payload},
    Push = Broadcast#{'__struct__' := 'Elixir.Phoenix.Socket.Message', join_ref => nil, ref => nil},
    List = [nil, nil, <<"lv:phx-1">>, <<"diff">>, Payload],
    Erlang = ?SERIALIZER:config([{encode, [{native, false}]}]),
    Unchecked = ?SERIALIZER:config([{encode, [{native, false}, {utf8, false}]}]),
    {socket_push, binary, Frame} = ?SERIALIZER:'fastlane!'(Broadcast),
    Contestants = etf_peers:writers(List) ++ [
        {'VM (term_to_binary)', fun() -> term_to_binary(List) end},
        {'aldis, fastlane!', fun() -> ?SERIALIZER:'fastlane!'(Broadcast) end},
        {'aldis, encode!', fun() -> ?SERIALIZER:'encode!'(Push) end},
        {'aldis, fastlane!, Erlang alone', fun() -> ?SERIALIZER:'fastlane!'(Broadcast, Erlang) end},
        {'aldis, Erlang, no UTF-8 check', fun() -> ?SERIALIZER:'fastlane!'(Broadcast, Unchecked) end}
    ],
    #{load => Name, asked => Asked, sizes => sizes(Frame, etf_peers:text(List)), contestants => Contestants}.

%% Bytes on the wire, and those of a websocket that compresses (permessage-deflate without context, as Bandit has it).
sizes(Frame, Json) ->
    #{etf => byte_size(Frame), json => byte_size(Json), etf_deflated => byte_size(zlib:zip(Frame)), json_deflated => byte_size(zlib:zip(Json))}.
