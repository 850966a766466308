%% @doc Mutated messages into generated decoders of Erlang and Elixir, as properties that shrink: whatever the bytes, a decoder
%% answers, in time and memory that are bounded by the input's size.
%%
%% Every call is made in a process of its own. `max_heap_size' kills it beyond 64 bytes for each byte of the input and 16 MiB,
%% which is what decoders promise; binaries that it made are counted besides, and its reductions.
-module(mutated).

-export([main/1]).

%% How many reductions a call may take: so many whatever the input (the traversal budget allows 256 KiB to any), and so many
%% more for each byte.
-define(REDUCTIONS, 2000000).
-define(REDUCTIONS_A_BYTE, 200).
%% Longer than a machine that does other things holds up a call.
-define(SECONDS, 120).

-define(FORALL(Pattern, Type, Property), proper:forall(Type, fun(Pattern) -> Property end)).

-type testee() :: module().
%% The arguments of a testee's functions, besides the bytes; the functions that read one field in place.
-type target() :: {testee(), Record :: atom(), Reads :: [{module(), atom()}]}.
-type message() :: {Name :: binary(), [target()], binary()}.

%% @doc `[Folder, Count, Testee…]': `Folder' holds a folder a wire form, in which a file a message has honest messages, a line
%% of hex digits each. Mutates `Count' messages a form and stops the system: with 1 when a decoder did what it must not.
-spec main([string()]) -> no_return().
main([Folder, Count | Testees]) ->
    {ok, Forms} = file:list_dir(Folder),
    Modules = [list_to_atom(Testee) || Testee <- Testees],
    Held = [form(Folder, Form, list_to_integer(Count), Modules) || Form <- lists:sort(Forms)],
    halt(case lists:member(false, Held) of false -> 0; true -> 1 end).

form(Folder, Name, Count, Testees) ->
    Messages = list_to_tuple(messages(filename:join(Folder, Name), Testees)),
    Form = list_to_binary(Name),
    counters(),
    Test = ?FORALL({Index, Mutations}, {proper_types:range(1, tuple_size(Messages)), proper_types:list(mutation())},
        faults(Form, Mutations, element(Index, Messages)) =:= []),
    case proper:quickcheck(Test, [quiet, long_result, {numtests, Count}, {max_size, 10}]) of
        true ->
            #{ok := Ok, error := Error, reductions := Reductions, words := Words} = counted(),
            io:format("  ~-16s~9b messages  ~9b answers ok  ~9b errors  at most ~b reductions, ~b KiB~n",
                [Name, Count, Ok, Error, Reductions, Words * 8 div 1024]),
            true;
        [{Index, Mutations}] ->
            {Message, _, Bytes} = element(Index, Messages),
            io:format("  ~s, ~s: mutated by ~p~n  ~s~n  ~p~n", [Name, Message, Mutations,
                hex(mutated(Bytes, Mutations)), faults(Form, Mutations, element(Index, Messages))]),
            false
    end.

%%% Honest messages

messages(Folder, Testees) ->
    {ok, Names} = file:list_dir(Folder),
    [{Name, targets(Name, Testees), Bytes} || File <- lists:sort(Names), Name <- [list_to_binary(File)],
        Bytes <- lines(filename:join(Folder, File))].

lines(File) ->
    {ok, Text} = file:read_file(File),
    [binary:decode_hex(Line) || Line <- binary:split(Text, <<"\n">>, [global, trim_all])].

targets(Name, Testees) -> [target(Testee, lists:keyfind(Name, 1, Testee:messages())) || Testee <- Testees].

target(Testee, {_, Record, _, _}) -> {Testee, Record, reads(atom_to_list(Testee), Record)}.

%% In Elixir a record is a module with functions `get_FIELD', in Erlang the codec, `NAME' of `NAME_testee', has functions
%% `RECORD_FIELD' (and those of records whose names begin alike, which take any bytes as well).
reads("Elixir." ++ _, Record) -> reads_in(Record, "get_");
reads(Testee, Record) -> reads_in(list_to_atom(lists:sublist(Testee, length(Testee) - 7)), atom_to_list(Record) ++ "_").

reads_in(Module, Prefix) ->
    [{Module, Function} || {Function, 1} <- Module:module_info(exports), lists:prefix(Prefix, atom_to_list(Function))].

%%% Mutations: positions are taken modulo the size of what there is

-spec mutation() -> proper_types:raw_type().
mutation() ->
    At = proper_types:range(0, 1 bsl 16),
    proper_types:oneof([
        {flip, At, proper_types:range(0, 7)},
        {set, At, proper_types:byte()},
        %% Offsets, sizes and counts that are a little wrong, or as wrong as can be.
        {add, At, proper_types:oneof([16, 32]), proper_types:range(-9, 9)},
        {put, At, proper_types:oneof([8, 16, 32, 64]), edge()},
        {cut, At},
        {remove, At, proper_types:range(1, 16)},
        {insert, At, proper_types:binary()},
        {copy, At, At, proper_types:range(1, 32)}
    ]).

edge() -> proper_types:oneof([0, 1, -1, 16#7F, 16#80, 16#FFFF, 16#7FFFFFFF, 16#80000000, 16#FFFFFFF8, proper_types:integer()]).

mutated(Bytes, Mutations) -> lists:foldl(fun mutate/2, Bytes, Mutations).

mutate({insert, Place, Inserted}, Bytes) ->
    {Before, Behind} = split(Bytes, Place),
    <<Before/binary, Inserted/binary, Behind/binary>>;
mutate(_, <<>>) -> <<>>;
mutate({cut, Place}, Bytes) -> element(1, split(Bytes, Place));
mutate({remove, Place, Size}, Bytes) ->
    {Before, Behind} = split(Bytes, Place),
    <<Before/binary, (element(2, split_at(Behind, Size)))/binary>>;
mutate({copy, From, To, Size}, Bytes) ->
    mutate({insert, To, element(1, split_at(element(2, split(Bytes, From)), Size))}, Bytes);
mutate({flip, Place, Bit}, Bytes) -> number(Bytes, Place, 8, fun(Byte) -> Byte bxor (1 bsl Bit) end);
mutate({set, Place, Byte}, Bytes) -> number(Bytes, Place, 8, fun(_) -> Byte end);
mutate({add, Place, Bits, Added}, Bytes) -> number(Bytes, Place, Bits, fun(Number) -> Number + Added end);
mutate({put, Place, Bits, Number}, Bytes) -> number(Bytes, Place, Bits, fun(_) -> Number end).

%% Changes the little endian number at a place, where one fits.
number(Bytes, Place, Bits, Change) ->
    case split(Bytes, Place) of
        {Before, <<Number:Bits/little, Behind/binary>>} -> <<Before/binary, (Change(Number)):Bits/little, Behind/binary>>;
        _ -> Bytes
    end.

split(Bytes, Place) -> split_at(Bytes, Place rem (byte_size(Bytes) + 1)).

split_at(Bytes, At) when At >= byte_size(Bytes) -> {Bytes, <<>>};
split_at(Bytes, At) ->
    <<Before:At/binary, Behind/binary>> = Bytes,
    {Before, Behind}.

%%% Properties

%% The faults in the answers to a mutated message: none, mostly.
-spec faults(binary(), [tuple()], message()) -> [term()].
faults(Form, Mutations, {_, Targets, Bytes}) ->
    Mutated = mutated(Bytes, Mutations),
    [{Testee, Fault} || {Testee, Record, Reads} <- Targets,
        Fault <- [fault(fun() -> decoded(Testee:decode(Form, Record, Mutated), Mutated) end, Mutated) | read(Reads, Mutated)],
        Fault =/= none].

%% One field, another one from message to message.
read([], _) -> [];
read(Reads, Bytes) ->
    {Module, Function} = lists:nth(1 + erlang:phash2(Bytes, length(Reads)), Reads),
    [fault(fun() -> value(Module:Function(Bytes), Bytes) end, Bytes)].

decoded({ok, Record, Rest}, Bytes) when is_binary(Rest), byte_size(Rest) =< byte_size(Bytes) ->
    {ok, Record};
decoded(Other, Bytes) -> refused(Other, Bytes).

value({ok, _} = Answer, _) -> Answer;
value(Other, Bytes) -> refused(Other, Bytes).

refused({error, {Code, Offset, Path}} = Answer, Bytes)
        when is_atom(Code), Offset =:= '-' orelse (Offset >= 0 andalso Offset =< byte_size(Bytes)), is_binary(Path) ->
    Answer.

%% Runs a call in a process of its own: `none', or what it did that it must not.
fault(Call, Bytes) ->
    Most = 64 * byte_size(Bytes) + (16 bsl 20),
    Heap = #{size => Most div 8, kill => true, error_logger => false},
    {Pid, Monitor} = spawn_opt(fun() -> run(Call) end, [monitor, {max_heap_size, Heap}]),
    receive
        {'DOWN', Monitor, process, Pid, {answered, Answer, Used}} -> judged(Answer, Used, Most, Bytes);
        {'DOWN', Monitor, process, Pid, killed} -> {more_than, Most, bytes};
        {'DOWN', Monitor, process, Pid, Reason} -> {raised, Reason}
    after ?SECONDS * 1000 ->
        exit(Pid, kill),
        {more_than, ?SECONDS, seconds}
    end.

run(Call) ->
    {reductions, Before} = process_info(self(), reductions),
    try Call() of
        {Answer, _} ->
            [{reductions, After}, {total_heap_size, Words}, {binary, Binaries}] =
                process_info(self(), [reductions, total_heap_size, binary]),
            Sizes = maps:from_list([{Id, Size} || {Id, Size, _} <- Binaries]),
            exit({answered, Answer, {After - Before, Words, lists:sum(maps:values(Sizes))}})
    catch
        error:Reason:Stack -> exit({Reason, lists:sublist(Stack, 4)})
    end.

judged(Answer, {Reductions, Words, Binaries}, Most, Bytes) ->
    note(Answer, Reductions, Words),
    if
        Reductions > ?REDUCTIONS + ?REDUCTIONS_A_BYTE * byte_size(Bytes) -> {reductions, Reductions};
        Binaries > Most -> {binaries, Binaries};
        true -> none
    end.

%%% Counts of what was seen

counters() -> put(seen, #{ok => 0, error => 0, reductions => 0, words => 0}).

note(Answer, Reductions, Words) ->
    #{Answer := Count, reductions := Most, words := Largest} = Seen = get(seen),
    put(seen, Seen#{Answer := Count + 1, reductions := max(Most, Reductions), words := max(Largest, Words)}).

counted() -> get(seen).

hex(Bytes) -> string:lowercase(binary:encode_hex(Bytes)).
