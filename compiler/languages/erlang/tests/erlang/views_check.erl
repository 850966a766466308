%% @doc Compares the functions for single fields with whole decoding, on golden messages and damaged ones.
-module(views_check).

-export([main/1]).

%% @doc The file holds `{Module, [{Record, [Field]}], [{Record, Bytes}]}'. Prints how many reads agreed, or stops the
%% system with the first that did not.
-spec main(file:filename()) -> no_return().
main(File) ->
    {ok, [{Module, Records, Messages}]} = file:consult(File),
    Fields = maps:from_list(Records),
    Counts = [check(Module, Record, maps:get(Record, Fields), Bytes)
        || {Record, Message} <- Messages, Bytes <- [Message | damaged(Message)]],
    io:format("~b~n", [lists:sum(Counts)]),
    halt(0).

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

is_error({error, {Code, Offset, Path}}) -> is_atom(Code) andalso is_integer(Offset) andalso is_binary(Path);
is_error(_) -> false.

-spec stop(term()) -> no_return().
stop(What) ->
    io:format("disagrees: ~p~n", [What]),
    halt(1).

name(Before, Record) -> name(Before, Record, "").

name(Before, Record, After) -> list_to_atom(Before ++ atom_to_list(Record) ++ After).
