%% @doc Compares the functions for single fields with whole decoding, on whole and damaged messages, and gives writers
%% terms of every wrong type.
-module(codec_check).

-export([main/1]).

%% @doc The file holds `{Module, [Suffix], [{Record, [Field]}], [{Record, Bytes}]}'. Prints how many calls did as they
%% should, or stops the system with the first that did not.
-spec main(file:filename()) -> no_return().
main(File) ->
    {ok, [{Module, Suffixes, Records, Messages}]} = file:consult(File),
    Fields = maps:from_list(Records),
    Counts = [check(Module, Record, maps:get(Record, Fields), Bytes)
        || {Record, Message} <- Messages, Bytes <- [Message | damaged(Message)]],
    [no_bytes(Module, Suffixes, Record, Names) || {Record, Names} <- Records],
    [new(Module, Suffixes, Record) || {Record, _} <- Records],
    Wrong = [wrong(Module, Suffixes, Record, Message) || {Record, Message} <- Messages],
    io:format("~b~n", [lists:sum(Counts) + lists:sum(Wrong)]),
    halt(0).

%% A term that is no binary gives an error value, whatever is asked of it.
no_bytes(Module, Suffixes, Record, Fields) ->
    Decode = [name("decode", "", Suffix) || Suffix <- Suffixes] ++ [name("identify", "", Suffix) || Suffix <- Suffixes],
    One = [name("decode_", Record, Suffix) || Suffix <- Suffixes] ++ [name("from_json_", Record) | Decode],
    Get = name("", Record, "_get"),
    Results = [{F, Junk, catch Module:F(Junk)} || F <- One, Junk <- [foo, 7, {}]]
        ++ [{Field, foo, catch Module:Get(Field, foo)} || Field <- Fields],
    [stop(Result) || {_, _, Answer} = Result <- Results, Answer =/= {error, {bad_value, '-', <<>>}}].

%% Cut short everywhere, and with bytes of other values.
damaged(Message) ->
    Sizes = lists:seq(0, byte_size(Message) - 1, 1 + byte_size(Message) div 64),
    Cut = [binary:part(Message, 0, Size) || Size <- Sizes],
    Changed = [change(Message, At, Byte) || At <- Sizes, Byte <- [0, 1, 16#7F, 16#FF]],
    Cut ++ Changed.

change(Message, At, Byte) ->
    <<Before:At/binary, _, After/binary>> = Message,
    <<Before/binary, Byte, After/binary>>.

check(Module, Record, Fields, Bytes) ->
    Decoded = Module:(name("decode_", Record))(Bytes),
    Get = name("", Record, "_get"),
    Views = [Module:Get(Field, Bytes) || Field <- Fields],
    case Decoded of
        {ok, Value, _} ->
            [_ | Values] = tuple_to_list(Value),
            [{ok, V} || V <- Values] =:= Views orelse stop({Record, Bytes, Value, Views}),
            length(Views);
        {error, {Code, _, _}} when is_atom(Code) ->
            %% A view does not see what is wrong elsewhere.
            [stop({Record, Bytes, View}) || View <- Views, element(1, View) =/= ok, not is_error(View)],
            0
    end.

%% A writer answers whatever it is given: with a value, or an error that has a path and no offset.
wrong(Module, Suffixes, Record, Bytes) ->
    {ok, Value, _} = Module:(name("decode_", Record))(Bytes),
    Encode = [name("encode_", Record, Suffix) || Suffix <- Suffixes],
    Changed = [Wrong || Place <- lists:seq(2, tuple_size(Value)), Junk <- junk(), Wrong <- replaced(Value, Place, Junk)],
    Results = [{F, V, catch Module:F(V)} || F <- [name("to_json_", Record) | Encode], V <- [none | Changed]],
    [stop(Result) || {_, _, Answer} = Result <- Results, not is_answer(Answer)],
    [stop({V, Reason, Words}) || {_, V, {error, Reason}} <- Results,
        Words <- [catch Module:format_error(Reason, name("", Record), V)], not is_said(Reason, Words)],
    length(Results).

%% Each value that is refused has words on it, which end with the code.
is_said({Code, _, _}, Words) when is_binary(Words) ->
    End = <<" (", (atom_to_binary(Code))/binary, ")">>,
    is_list(unicode:characters_to_list(Words)) andalso byte_size(Words) < 4000
        andalso binary:longest_common_suffix([Words, End]) =:= byte_size(End);
is_said(_, _) -> false.

%% A new record can be written as it is.
new(Module, Suffixes, Record) ->
    Value = Module:(name("new_", Record))(),
    [stop({Record, F, Value}) || Suffix <- Suffixes, F <- [name("encode_", Record, Suffix)],
        element(1, Module:F(Value)) =/= ok].

is_answer({ok, Bytes}) -> is_binary(Bytes);
is_answer({error, {Code, '-', Path}}) -> is_atom(Code) andalso is_binary(Path);
is_answer(_) -> false.

junk() ->
    [undefined, nan, -1, 1 bsl 100, 1.5, 1.0e300, "chars", <<"bytes">>, <<1:3>>, [], [a | b], [undefined], [[]], #{}, #{a => b},
        {}, {decimal, 1, x, 1}, {decimal, 1, 1, 99}, {enum, undefined}, {unknown, x}, make_ref()].

%% The field itself, and what is inside it.
replaced(Value, Place, Junk) ->
    [setelement(Place, Value, Junk) | [setelement(Place, Value, Inner) || Inner <- inside(element(Place, Value), Junk)]].

inside([_ | Rest], Junk) -> [[Junk | Rest]];
inside(Map, Junk) when is_map(Map), map_size(Map) > 0 ->
    [{Key, Value} | Rest] = maps:to_list(Map),
    [maps:from_list([{Junk, Value} | Rest]), maps:from_list([{Key, Junk} | Rest])];
inside(Record, Junk) when is_tuple(Record), tuple_size(Record) > 1 ->
    [setelement(Place, Record, Junk) || Place <- lists:seq(1, tuple_size(Record))];
inside(_, _) -> [].

is_error({error, {Code, Offset, Path}}) -> is_atom(Code) andalso is_integer(Offset) andalso is_binary(Path);
is_error(_) -> false.

-spec stop(term()) -> no_return().
stop(What) ->
    io:format("disagrees: ~p~n", [What]),
    halt(1).

name(Before, Record) -> name(Before, Record, "").

name(Before, Record, After) -> list_to_atom(lists:concat([Before, Record, After])).
