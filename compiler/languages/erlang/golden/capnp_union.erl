%% ==== feature.hrl
%% A choice of a number and of nothing.
-ifndef(FEATURE_HRL).
%% [as in the base]
%% Message
-type 'Message'() :: 'Message_'().

%% Message.
-type 'Message_'() :: {amount, aldis:int64()} | {nothing, undefined} | {unknown, aldis:uint16()}.

%% ==== feature.erl
%% A choice of a number and of nothing.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
]).
%% For the modules of this codec alone.
-export([read_Message_/9, direct_Message_/4]).

%% [as in the base]

-compile({inline, ['Message__bits0'/1, 'Message__tag'/1]}).

%% The last clauses are for values of other types.
-dialyzer({no_match, [write_Message_/3]}).

%% [as in the base]
%%
%% Layout: 2 words of data, 0 pointers
%%   offset    size  field
%%      8       2  (union): which arm
%%      0       8  amount (arm 0)
%%              0  nothing (arm 1)
%% -----------------------------------------------------------------------------

-spec new_Message() -> 'Message'().
new_Message() -> {amount, 0}.

%% [as in the base]
    aldis_check:depth(Depth + 1, Path),
    {Body, Objects, End} = write_Message(Value, Next, Next + 2, Depth + 1, Path),
    {(Next - Place - 1) bsl 2, 2, [Body | Objects], End}.

write_Message(V, _At, Next, Depth, Path) ->
    {VTag, VArea0} = write_Message_(V, Depth, Path),
    {<<VArea0/bitstring, VTag:16/little, 0:48>>, [], Next}.

-spec encode_Message('Message'()) -> {ok, binary()} | {error, aldis:reason()}.
encode_Message(Value) -> aldis:binary(encode_Message_iolist(Value)).

-spec encode_Message_iolist('Message'()) -> {ok, iodata()} | {error, aldis:reason()}.
encode_Message_iolist(V = Value) ->
    try
        {
            ok,
            <<
                0:32, 3:32/little, 0:32, 2:32/little, ('Message__bits0'(V))/bitstring,
                ('Message__tag'(V)):64/little
            >>
        }
    catch _:_ -> aldis_message:encode(framed, fun put_Message/5, Value)
    end.

read_Message(Bin, At, 16, 0, Message, Depth, Budget, Path) ->
    <<_:At/binary, _:64, VTag:16/little, _/binary>> = Bin,
    read_Message_(VTag, Bin, At, 16, 0, Message, Depth, Budget, Path);
read_Message(Bin, At, Size, Count, Message, Depth, Budget, Path) ->
    <<_:64, VTag:16/little, _/binary>> = aldis_segments:sections(Bin, At, Size, Count, 16, 0, []),
    read_Message_(VTag, Bin, At, Size, Count, Message, Depth, Budget, Path).

direct_Message(0, 0, _, _, Budget) -> {undefined, Budget};
direct_Message(Low, 2, Bin, At, Budget) when (Low band 3) =:= 0, Budget >= 0 ->
    Start = At + 2 * Low,
    <<_:Start/binary, _:64, VTag:16/little, _:48, _/binary>> = Bin,
    {V, Budget1} = direct_Message_(VTag, Bin, Start, Budget),
    {V, Budget1 - 2}.

-spec decode_Message(binary()) -> {ok, 'Message'(), Rest :: binary()} | {error, aldis:reason()}.
decode_Message(<<0:32, Words:32/little, 0:32, 2:32/little, _:64, VTag:16/little, _:48, _/binary>> = Bin)
    when byte_size(Bin) =:= 8 * Words + 8, byte_size(Bin) < 16#4000 ->
    try
        Budget = byte_size(Bin) + 32766,
        {V, Budget1} = direct_Message_(VTag, Bin, 16, Budget),
        true = Budget1 >= 0,
        {ok, V, <<>>}
    catch
        _:_ -> aldis_message:decode(framed, fun read_Message/8, Bin)
    end;
decode_Message(Bin) -> aldis_direct:decode(fun direct_Message/5, fun read_Message/8, Bin).

-spec decode_Message(binary(), aldis:decode_options()) ->
    {ok, 'Message'(), Rest :: binary()} | {error, aldis:reason()}.
decode_Message(Bin, Options) ->
%% [as in the base]

-spec 'Message_'(binary()) -> aldis:read('Message_'()).
'Message_'(Bin) -> 'Message_get'('', Bin).

%% [as in the base]
'Message_get'(Field, Bin, Options) -> feature_view:'Message_get'(Field, Bin, Options).
-spec to_json_Message('Message'()) -> {ok, binary()} | {error, aldis:reason()}.
to_json_Message(Value) -> feature_json:to_json_Message(Value).
-spec from_json_Message(iodata()) -> {ok, 'Message'()} | {error, aldis:reason()}.
from_json_Message(Text) -> feature_json:from_json_Message(Text).
%% [as in the base]
%% -----------------------------------------------------------------------------
%% Message.
%% -----------------------------------------------------------------------------

write_Message_({amount, Amount}, _Depth, Path) ->
    {0, <<(aldis_check:int(Amount, -9223372036854775808, 9223372036854775807, [amount | Path])):64/little>>};
write_Message_({nothing, Nothing}, _Depth, Path) ->
    aldis_check:constant(Nothing, undefined, [nothing | Path]),
    {1, <<0:64>>};
write_Message_({unknown, Tag}, _, Path) -> {aldis_words:tag(Tag, Path), <<0:64>>};
write_Message_(_, _, Path) -> aldis_check:wrong(Path).

'Message__tag'({amount, Amount}) when (((Amount bsr 63) + 1) bsr 1) =:= 0 -> 0;
'Message__tag'({nothing, Nothing}) when Nothing =:= undefined -> 1.

'Message__bits0'({amount, Amount}) -> <<Amount:64/little>>;
'Message__bits0'({nothing, _Nothing}) -> <<0:64>>.

read_Message_(0, Bin, At, Size, Count, Message, Depth, Budget, Path) ->
    {Value, Budget1} = read_Message__amount(Bin, At, Size, Count, Message, Depth, Budget, Path),
    {{amount, Value}, Budget1};
read_Message_(1, _, _, _, _, _, _, Budget, _) -> {{nothing, undefined}, Budget};
read_Message_(Tag, _, _, _, _, _, _, Budget, _) -> {{unknown, Tag}, Budget}.

read_Message__amount(Bin, At, 16, 0, _Message, _Depth, Budget, _Path) ->
    <<_:At/binary, Amount:64/signed-little, _/binary>> = Bin,
    {Amount, Budget};
read_Message__amount(Bin, At, Size, Count, _Message, _Depth, Budget, _Path) ->
    <<Amount:64/signed-little, _/binary>> = aldis_segments:sections(Bin, At, Size, Count, 16, 0, [{0, 8}]),
    {Amount, Budget}.

direct_Message_(0, Bin, At, Budget) ->
    <<_:At/binary, Amount:64/signed-little, _/binary>> = Bin,
    {{amount, Amount}, Budget};
direct_Message_(1, _Bin, _At, Budget) -> {{nothing, undefined}, Budget};
direct_Message_(Tag, _Bin, _At, Budget) -> {{unknown, Tag}, Budget}.

%% -----------------------------------------------------------------------------
%% The whole schema
%% [as in the base]
-spec encode(tuple()) -> {ok, binary()} | {error, aldis:reason()}.
encode(_) -> {error, {unknown_message, '-', <<>>}}.
%% [as in the base]

about('Message') -> {record, [{'', {named, 'Message_'}}]};
about('Message_') -> {union, [{amount, int64}, {nothing, void}]}.
%% ==== feature_view.erl
%% A choice of a number and of nothing.
%% @private A part of feature, which is what users call.
%% [as in the base]

view_Message_(Bin, At, 16, 0, Message, Depth, Budget, Path) ->
    <<_:At/binary, _:64, VTag:16/little, _/binary>> = Bin,
    feature:read_Message_(VTag, Bin, At, 16, 0, Message, Depth, Budget, Path);
view_Message_(Bin, At, Size, Count, Message, Depth, Budget, Path) ->
    <<_:64, VTag:16/little, _/binary>> = aldis_segments:sections(Bin, At, Size, Count, 16, 0, []),
    feature:read_Message_(VTag, Bin, At, Size, Count, Message, Depth, Budget, Path).

fields_of_Message() -> [''].

'Message_get'('', <<0:32, Words:32/little, 0:32, 2:32/little, _:64, VTag:16/little, _:48, _/binary>> = Bin)
    when byte_size(Bin) =:= 8 * Words + 8, byte_size(Bin) < 16#4000 ->
    try
        case feature:direct_Message_(VTag, Bin, 16, byte_size(Bin) + 32766) of
            {Value, Left} when Left >= 0 -> {ok, Value}
        end
    catch _:_ -> aldis_message:view(fun view_Message_/8, Bin)
    end;
'Message_get'('', Bin) -> aldis_message:view(fun view_Message_/8, Bin);
'Message_get'(Field, _) -> aldis:no_field(Field, fields_of_Message()).

'Message_get'('', Bin, Options) ->
    aldis_message:viewed(fun view_Message_/8, fun(Given) -> 'Message_get'('', Given) end, Bin, Options);
'Message_get'(Field, _, _) -> aldis:no_field(Field, fields_of_Message()).
%% ==== feature_json.erl
%% A choice of a number and of nothing.
%% @private A part of feature, which is what users call.
%% [as in the base]

-export([to_json_Message/1, from_json_Message/1, json_Message_/0]).

%% [as in the base]
json_Message() ->
    {object, [[<<"amount">>, <<"nothing">>]], union, record,
     [{union, fun feature_json:json_Message_/0, [{amount, 0}]}]}.

%% [as in the base]
from_json_Message(Text) -> aldis_json_table:from_json(json_Message(), Text).

%% Message.

json_Message_() ->
    {choice, [[<<"amount">>, <<"nothing">>]], none,
     [{amount, <<"amount">>, {field, {amount, <<"amount">>, <<"\"amount\":">>, {wide, int64}}, []}},
      {nothing, <<"nothing">>, {field, {nothing, <<"nothing">>, <<"\"nothing\":">>, {void, undefined}}, []}}],
     [{amount, 0}]}.
