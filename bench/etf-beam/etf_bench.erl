%% @doc Our reading and writing of terms against jiffy's JSON and the VM's own functions: interleaved, in one run. Prints
%% tables, and writes the figures to the file given.
-module(etf_bench).

-export([main/1]).

-define(SERIALIZER, 'Elixir.Aldis.Phoenix.Serializer').
%% Loads that are measured at a page's pace too.
-define(PACED, ["click", "form", "100 rows", "small diff", "12 kB rows"]).

-spec main(file:name_all()) -> ok.
main(File) ->
    Versions = #{
        otp => erlang:system_info(otp_release), erts => erlang:system_info(version), jiffy => version(jiffy),
        machine => erlang:system_info(system_architecture), native => aldis_etf_nif:loaded()
    },
    io:format("Erlang/OTP ~s (erts ~s), jiffy ~s, ~s, check in C: ~s~n", [
        maps:get(Key, Versions) || Key <- [otp, erts, jiffy, machine, native]
    ]),
    Up = [reads(Load) || Load <- etf_loads:up()],
    Down = [writes(Load) || Load <- etf_loads:down()],
    Paced = [{What, [Load || #{load := Name} = Load <- Loads, lists:member(Name, ?PACED)]} || {What, Loads} <- [{up, Up}, {down, Down}]],
    %% Before anything is hot.
    Pace = maps:from_list([{What, run(Loads, fun race:pace/2)} || {What, Loads} <- Paced]),
    Decode = run(Up, fun race:race/2),
    etf_report:table("Reading messages of clients", Decode),
    Encode = run(Down, fun race:race/2),
    etf_report:table("Writing broadcasts and pushes", Encode),
    etf_report:pace("Reading one message every 20 ms", maps:get(up, Pace)),
    etf_report:pace("Writing one message every 20 ms", maps:get(down, Pace)),
    io:format(
        "~nJSON x: how many times faster than JSON in the same round, median; \"of bests\" compares the best times. VM x: best~n"
        "time to that of the VM's own function on the same bytes, which checks nothing. Every batch of calls begins in a~n"
        "time slice of its own.~n"
    ),
    ok = file:write_file(File, etf_report:json(#{versions => Versions, decode => Decode, encode => Encode, pace => Pace})).

version(App) ->
    _ = application:load(App),
    {ok, Version} = application:get_key(App, vsn),
    Version.

run(Loads, Measure) ->
    [maps:remove(contestants, Load#{rows => [maps:remove(times, Row) || Row <- Measure(Contestants, Etf)]}) || #{contestants := Contestants, sizes := #{etf := Etf}} = Load <- Loads].

reads({Name, Asked, Term}) ->
    Frame = term_to_binary(Term),
    Json = iolist_to_binary(jiffy:encode(Term, [use_nil])),
    Native = aldis_etf:limits(#{}),
    Erlang = aldis_etf:limits(#{native => false}),
    Unchecked = aldis_etf:limits(#{native => false, utf8 => false}),
    [{ok, Term} = aldis_etf:decode(Frame, Limits) || Limits <- [Native, Erlang, Unchecked]],
    Term = jiffy:decode(Json, [return_maps, use_nil]),
    Contestants = [
        {'JSON (jiffy)', fun() -> jiffy:decode(Json, [return_maps, use_nil]) end},
        {'VM (binary_to_term)', fun() -> binary_to_term(Frame) end},
        {'aldis, check in C', fun() -> aldis_etf:decode(Frame, Native) end},
        {'aldis, Erlang alone', fun() -> aldis_etf:decode(Frame, Erlang) end},
        {'aldis, Erlang, no UTF-8 check', fun() -> aldis_etf:decode(Frame, Unchecked) end}
    ],
    #{load => Name, asked => Asked, sizes => #{etf => byte_size(Frame), json => byte_size(Json)}, contestants => Contestants}.

writes({Name, Asked, Payload}) ->
    Broadcast = #{'__struct__' => 'Elixir.Phoenix.Socket.Broadcast', topic => <<"lv:phx-1">>, event => <<"diff">>, payload => Payload},
    Push = Broadcast#{'__struct__' := 'Elixir.Phoenix.Socket.Message', join_ref => nil, ref => nil},
    List = [nil, nil, <<"lv:phx-1">>, <<"diff">>, Payload],
    Checked = ?SERIALIZER:config([{encode, [{utf8, true}]}]),
    Frame = aldis_etf:encode(List),
    Named = named(List),
    Contestants = [
        {'JSON (jiffy)', fun() -> jiffy:encode(Named, [use_nil]) end},
        {'VM (term_to_binary)', fun() -> term_to_binary(List) end},
        {'aldis, fastlane!', fun() -> ?SERIALIZER:'fastlane!'(Broadcast) end},
        {'aldis, push of a LiveView', fun() -> live_view(), ?SERIALIZER:'encode!'(Push) end},
        {'aldis, fastlane!, utf8: true', fun() -> ?SERIALIZER:'fastlane!'(Broadcast, Checked) end}
    ],
    #{load => Name, asked => Asked, sizes => #{etf => byte_size(Frame), json => iolist_size(jiffy:encode(Named, [use_nil]))}, contestants => Contestants}.

%% Makes the process a LiveView's, whose diffs are known to be plain.
live_view() -> put('$initial_call', {'Elixir.Phoenix.LiveView.Channel', init, 1}).

%% jiffy has no keys that are integers, so it gets them as text before its time starts.
named(Map) when is_map(Map) -> maps:from_list([{name(Key), named(Value)} || {Key, Value} <- maps:to_list(Map)]);
named(List) when is_list(List) -> [named(Item) || Item <- List];
named(Other) -> Other.

name(Key) when is_integer(Key) -> integer_to_binary(Key);
name(Key) -> Key.
