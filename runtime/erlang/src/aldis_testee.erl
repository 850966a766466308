%% @doc The testee protocol over standard input and output: one request a line, one answer a line.
%%
%% A generated `NAME_testee' module is the callback module. `convert' and `view' do the same, since decoding copies
%% nothing.
-module(aldis_testee).

-export([main/1, answer/2]).
-export_type([message/0]).

-type message() :: {FullName :: binary(), Record :: atom(), Id :: non_neg_integer() | undefined, Listed :: boolean()}.

-callback messages() -> [message()].
-callback forms() -> [Form :: binary()].
-callback identify(Form :: binary(), binary()) -> {ok, atom()} | {error, aldis:reason()}.
-callback decode(Form :: binary(), Record :: atom(), binary()) -> {ok, tuple(), binary()} | {error, aldis:reason()}.
-callback encode(Form :: binary(), Record :: atom(), tuple()) -> {ok, binary()} | {error, aldis:reason()}.
-callback to_json(Record :: atom(), tuple()) -> {ok, binary()} | {error, aldis:reason()}.
-callback from_json(Record :: atom(), binary()) -> {ok, tuple()} | {error, aldis:reason()}.
%% Puts the header value of the first message into the second, where there are header values.
-callback keep_header(Record :: atom(), binary(), binary()) -> {ok, binary()} | {error, aldis:reason()}.
-optional_callbacks([keep_header/3]).

%% @doc Answers requests until standard input ends, then stops the system. The system must run with `-noinput', so that
%% nobody else reads.
-spec main(module()) -> no_return().
main(Module) ->
    Port = open_port({fd, 0, 1}, [stream, binary, eof]),
    loop(Port, Module, []).

loop(Port, Module, Begun) ->
    receive
        {Port, {data, Data}} -> loop(Port, Module, lines(Port, Module, Begun, Data));
        {Port, eof} -> halt(0)
    end.

%% Answers the lines that are complete and gives the beginning of the next, as reversed chunks.
lines(Port, Module, Begun, Data) ->
    case binary:split(Data, <<"\n">>) of
        [Line, Rest] ->
            Request = iolist_to_binary(lists:reverse(Begun, [Line])),
            true = port_command(Port, [answer(Module, Request), $\n]),
            lines(Port, Module, [], Rest);
        [Part] -> [Part | Begun]
    end.

%% @doc The answer to a request; both without their line end.
-spec answer(module(), binary()) -> iodata().
answer(Module, Line) ->
    case binary:split(Line, <<"\t">>, [global]) of
        [Id, <<"list">>] -> ok(Id, list(Module));
        [Id, Verb, Message, From, To, Hex] when Verb =:= <<"convert">>; Verb =:= <<"view">> ->
            case bytes(Hex) of
                {ok, Bytes} -> reply(Id, convert(Module, Message, From, To, Bytes));
                error -> bad_request("HEX is not an even number of hex digits")
            end;
        _ -> bad_request("expected ID list, or ID convert|view MESSAGE FROM TO HEX, between TABs")
    end.

bad_request(Text) -> ["-\terror\tbad-request\t-\t", Text].

reply(Id, {ok, Bytes}) -> ok(Id, Bytes);
reply(Id, {unsupported, Text}) -> [Id, "\tunsupported\t", Text];
reply(Id, {error, {Code, Offset, Path}}) ->
    Word = string:replace(atom_to_list(Code), "_", "-", all),
    [Id, "\terror\t", Word, $\t, offset(Offset), $\t, place(Path), Word].

ok(Id, Bytes) -> [Id, "\tok\t", hex(Bytes)].

offset('-') -> "-";
offset(Offset) -> integer_to_list(Offset).

place(<<>>) -> "";
place(Path) -> [one_line(Path), ": "].

%% Field names may hold anything.
one_line(Text) -> binary:replace(Text, [<<"\t">>, <<"\n">>, <<"\r">>], <<" ">>, [global]).

list(Module) ->
    iolist_to_binary([[Name, $\s, id(Id), $\n] || {Name, _, Id, true} <- Module:messages()]).

id(undefined) -> "-";
id(Id) -> integer_to_list(Id).

convert(Module, Message, From, To, Bytes) ->
    Forms = [<<"json">> | Module:forms()],
    case lists:member(From, Forms) andalso lists:member(To, Forms) of
        false -> {unsupported, "this schema has no such form"};
        true ->
            case record(Module, Message, From, Bytes) of
                {ok, Record} -> between(Module, Record, From, To, Bytes);
                Other -> Other
            end
    end.

record(_, <<"-">>, <<"json">>, _) -> {unsupported, "JSON does not say which message it is"};
record(Module, <<"-">>, From, Bytes) -> Module:identify(From, Bytes);
record(Module, Message, _, _) ->
    case lists:keyfind(Message, 1, Module:messages()) of
        {_, Record, _, _} -> {ok, Record};
        false -> {error, {unknown_message, '-', <<>>}}
    end.

between(Module, Record, From, To, Bytes) ->
    case value(Module, Record, From, Bytes) of
        {ok, Value} when To =:= <<"json">> -> Module:to_json(Record, Value);
        {ok, Value} -> beside(Module, Record, From, Bytes, Module:encode(To, Record, Value));
        {error, _} = Error -> Error
    end.

%% From bytes to bytes, what is beside the message stays.
beside(Module, Record, From, Given, {ok, Bytes}) when From =/= <<"json">> ->
    case erlang:function_exported(Module, keep_header, 3) of
        true -> Module:keep_header(Record, Given, Bytes);
        false -> {ok, Bytes}
    end;
beside(_, _, _, _, Result) -> Result.

value(Module, Record, <<"json">>, Text) -> Module:from_json(Record, Text);
value(Module, Record, From, Bytes) ->
    case Module:decode(From, Record, Bytes) of
        {ok, Value, _Rest} -> {ok, Value};
        {error, _} = Error -> Error
    end.

bytes(Hex) when byte_size(Hex) rem 2 =:= 0 ->
    try
        {ok, << <<(digit(High) * 16 + digit(Low))>> || <<High, Low>> <= Hex >>}
    catch
        throw:not_hex -> error
    end;
bytes(_) -> error.

digit(C) when C >= $0, C =< $9 -> C - $0;
digit(C) when C >= $a, C =< $f -> C - $a + 10;
digit(C) when C >= $A, C =< $F -> C - $A + 10;
digit(_) -> throw(not_hex).

hex(Bytes) -> << <<(hex_digit(High)), (hex_digit(Low))>> || <<High:4, Low:4>> <= Bytes >>.

hex_digit(D) when D < 10 -> $0 + D;
hex_digit(D) -> $a + D - 10.
