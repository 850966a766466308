%% Single fields of the vectors of bad text, under the option strict_text.
-module(strict_text_check).

-export([main/0]).

-include("text.hrl").

main() ->
    Counts = [check(File) || File <- filelib:wildcard("*.bin")],
    io:format("~b~n", [lists:sum(Counts)]),
    halt().

check(File) ->
    {ok, Bin} = file:read_file(File),
    {error, {bad_text, Offset, Path}} = Fault = text:'decode_Texts'(Bin),
    true = is_integer(Offset),
    Read = [{Field, text:'Texts_get'(Field, Bin)} || Field <- record_info(fields, 'Texts')],
    %% The path through an unnamed union has the arm alone.
    [First | _] = string:split(hd(string:split(Path, "[")), "."),
    Named = [Field || {Field, _} <- Read, atom_to_binary(Field) =:= First],
    {Wrong, Right} = lists:partition(fun({_, Answer}) -> Answer =:= Fault end, Read),
    true = Wrong =/= [] andalso lists:all(fun(Field) -> lists:keymember(Field, 1, Wrong) end, Named),
    true = lists:all(fun({_, Answer}) -> element(1, Answer) =:= ok end, Right),
    length(Right).
