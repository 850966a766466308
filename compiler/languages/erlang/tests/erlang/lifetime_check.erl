%% @doc Values that keep the input alive and values that do not, and a codec that is replaced while a process works with it.
-module(lifetime_check).

-include("life.hrl").

-export([main/0]).

%% @doc Prints the number of cases that held, or stops the system with the first that did not. `new/life.beam' is the next
%% version of the codec, with a field more.
-spec main() -> no_return().
main() ->
    Note = note(),
    {ok, Bytes} = life:encode_Note(Note),
    {ok, Final} = life:encode_Note_final(Note),
    Cases = copies(Note, Bytes, fun life:decode_Note/1, fun life:decode_Note/2)
        ++ copies(Note, Final, fun life:decode_Note_final/1, fun life:decode_Note_final/2)
        ++ options(Bytes)
        ++ reload(Note, Bytes),
    [stop(Given, Wanted) || {Given, Wanted} <- Cases, Given =/= Wanted],
    io:format("~b~n", [length(Cases)]),
    halt(0).

%% Texts that are too long to be kept on the heap.
note() ->
    Long = fun(Byte) -> binary:copy(<<Byte>>, 100) end,
    (life:new_Note())#'Note'{
        text = Long($a), data = Long(0), names = [Long($b), Long($c)], counts = #{Long($d) => 1}, tags = [Long($e)]
    }.

copies(Note, Bytes, Decode, DecodeAs) ->
    {ok, Parts, <<>>} = Decode(Bytes),
    {ok, Copies, <<>>} = DecodeAs(Bytes, #{copy => true}),
    [
        {length(binaries(Parts)), 6},
        {[Part || Part <- binaries(Parts), binary:referenced_byte_size(Part) < byte_size(Bytes)], []},
        {[Copy || Copy <- binaries(Copies), binary:referenced_byte_size(Copy) > byte_size(Copy)], []},
        {{Parts, Copies}, {Note, Note}},
        {[DecodeAs(Bytes, Options) || Options <- [#{}, #{copy => false}]], [Decode(Bytes), Decode(Bytes)]},
        {DecodeAs(<<>>, #{copy => true}), Decode(<<>>)}
    ].

binaries(Binary) when is_binary(Binary) -> [Binary];
binaries(Tuple) when is_tuple(Tuple) -> binaries(tuple_to_list(Tuple));
binaries(List) when is_list(List) -> lists:append([binaries(Part) || Part <- List]);
binaries(Map) when is_map(Map) -> binaries(maps:to_list(Map));
binaries(_) -> [].

%% A term that is no option is not passed over, and the words that shells and logs show say which options there are.
options(Bytes) ->
    [
        {refused(Bytes, #{copi => true}, "there is no option copi; there .* copy"), match},
        {refused(Bytes, #{copy => yes}, "the option copy is true or false"), match},
        {refused(Bytes, #{limits => much}, "the option limits is default, reference, or "), match},
        {refused(Bytes, [copy], "options are a map: #{copy => true}"), match}
    ].

refused(Bytes, Options, Said) ->
    try
        life:decode_Note(Bytes, Options)
    catch
        error:badarg:Stack ->
            re:run(erl_error:format_exception(error, badarg, Stack), Said, [{capture, none}])
    end.

%% A process goes on where it was, with the new code at its next call, and holds nothing of the old.
reload(Note, Bytes) ->
    Before = held(),
    {Worker, Monitor} = spawn_monitor(fun() -> work(Bytes, []) end),
    Old = seen(Worker, tuple_size(Note)),
    {module, life} = code:load_abs("new/life"),
    New = seen(Worker, tuple_size(Note) + 1),
    Cases = [
        {code:soft_purge(life), true},
        {Old, Note},
        {New, erlang:append_element(Note, 8)},
        {seen(Worker), lists:sort([Old, New])},
        %% A record of the old shape is a wrong value, not an exception.
        {life:encode_Note(Old), {error, {bad_value, '-', <<>>}}}
    ],
    Worker ! stop,
    Ended = receive {'DOWN', Monitor, process, Worker, Reason} -> Reason end,
    [{Ended, normal}, {held(), Before} | Cases].

%% Decodes without a pause, and tells what it got when it is asked.
work(Bytes, Notes) ->
    receive
        {seen, From} -> From ! {self(), Notes}, work(Bytes, Notes);
        stop -> ok
    after 0 ->
        {ok, Note, <<>>} = life:decode_Note(Bytes),
        work(Bytes, lists:usort([Note | Notes]))
    end.

seen(Worker) ->
    Worker ! {seen, self()},
    receive
        {Worker, Notes} -> Notes;
        {'DOWN', _, process, Worker, Reason} -> stop(Reason, working)
    end.

%% The note of this many elements, once there is one.
seen(Worker, Size) ->
    case [Note || Note <- seen(Worker), tuple_size(Note) =:= Size] of
        [Note] -> Note;
        [] -> seen(Worker, Size)
    end.

%% Things that code could leave behind.
held() -> {length(processes()), length(ets:all()), maps:get(count, persistent_term:info())}.

-spec stop(term(), term()) -> no_return().
stop(Given, Wanted) ->
    io:format("~p~nand not~n~p~n", [Given, Wanted]),
    halt(1).
