%% ==== feature.hrl
%% [as in the base]

%% feature.messageHeader
-record(messageHeader, {
    session :: aldis:uint16()
}).
-type messageHeader() :: #messageHeader{}.

-endif.
%% ==== feature.erl
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_number'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1,
    new_messageHeader/0, encode_messageHeader/1, encode_messageHeader_iolist/1, decode_messageHeader/1,
    decode_messageHeader/2, messageHeader_session/1, messageHeader_get/2, messageHeader_get/3,
    to_json_messageHeader/1, from_json_messageHeader/1, encode/1, identify/1, decode/1, decode/2, header/1,
    put_header/2, encode/2, messages/0, format_error/2, format_error/3
]).
%% For the modules of this codec alone.
-export([run_Message/0, open_Message/1, run_messageHeader/0, open_messageHeader/1]).

%% [as in the base]
%% The last clauses are for values of other types.
-dialyzer({no_match, [fast_encode_Message/1, fast_encode_messageHeader/1]}).

%% [as in the base]
fast_encode_Message(#'Message'{number = Number_}) when ?WITHIN(Number_, 0, 4294967295) ->
    <<0:16/little, 4:16/little, 1:16/little, 1:16/little, 0:16/little, Number_:32/little>>;
fast_encode_Message(_) -> throw(unusual).
%% [as in the base]
encode_Message_carefully(Value) ->
    aldis_fault:written(
        <<0:16/little, 4:16/little, 1:16/little, 1:16/little, 0:16/little>>,
        fun write_Message/2, Value
    ).

%% [as in the base]

open_Message(<<_:2/binary, Extent:16/little, 1:16/little, 1:16/little, _Version:16/little, Root/binary>>) ->
    {Root, Extent};
open_Message(<<_:10/binary, _/binary>> = Bin) -> aldis_wire:unknown_message(Bin);
open_Message(Bin) -> aldis_wire:cut(Bin, 10, head_members(), []).

%% [as in the base]
    {0,
     [{0, 2, 2, 0, [<<"session">>]}, {2, 4, 4, 0, [<<"blockLength">>]}, {4, 6, 6, 0, [<<"templateId">>]},
      {6, 8, 8, 0, [<<"schemaId">>]}, {8, 10, 10, 0, [<<"version">>]}]}.

%% [as in the base]

fast_decode_Message(
    <<_:2/binary, 4:16/little, 1:16/little, 1:16/little, _:16/little, Number_:32/little, Rest/binary>>
) ->
    {ok, #'Message'{number = Number_}, Rest};
%% [as in the base]
decode_Message_carefully(Bin, Limits) ->
    aldis_wire:decoded(fun open_Message/1, fun read_Message/5, 10, Bin, Limits).

%% [as in the base]
%% -----------------------------------------------------------------------------
%% feature.messageHeader
%%
%% Layout in sbe:   offset    size  field
%%                       0       2  session
%%                              10  (total)
%% -----------------------------------------------------------------------------

-spec new_messageHeader() -> #messageHeader{}.
new_messageHeader() -> #messageHeader{session = 0}.

write_messageHeader(Value, Path) -> aldis_run:write(run_messageHeader(), Value, [], Path).

run_messageHeader() -> {record, messageHeader, 2, 10, little, [{0, 2, session, uint16}]}.

fast_encode_messageHeader(#messageHeader{session = Session}) when ?WITHIN(Session, 0, 65535) ->
    <<Session:16/little, 0:64>>;
fast_encode_messageHeader(_) -> throw(unusual).

encode_messageHeader_carefully(Value) -> aldis_fault:written(<<>>, fun write_messageHeader/2, Value).

-spec encode_messageHeader(#messageHeader{}) -> {ok, binary()} | {error, aldis:reason()}.
encode_messageHeader(Value) ->
    try {ok, fast_encode_messageHeader(Value)}
    catch throw:_ -> aldis:binary(encode_messageHeader_carefully(Value))
    end.

-spec encode_messageHeader_iolist(#messageHeader{}) -> {ok, iodata()} | {error, aldis:reason()}.
encode_messageHeader_iolist(Value) ->
    try {ok, fast_encode_messageHeader(Value)} catch throw:_ -> encode_messageHeader_carefully(Value) end.

open_messageHeader(<<Root/binary>>) -> {Root};
open_messageHeader(Bin) -> aldis_wire:cut(Bin, 0, head_members_2(), []).

head_members_2() -> {0, []}.

read_messageHeader(Bin, Depth, Budget, Path) ->
    aldis_wire:check_depth(Depth, Bin, Path),
    aldis_run:read(run_messageHeader(), Bin, 10, 0, Budget, [], Path).

fast_decode_messageHeader(<<Session:16/little, _:8/binary, Rest/binary>>) ->
    {ok, #messageHeader{session = Session}, Rest};
fast_decode_messageHeader(_) -> throw(unusual).

decode_messageHeader_carefully(Bin, Limits) ->
    aldis_wire:decoded(fun open_messageHeader/1, fun read_messageHeader/4, 0, Bin, Limits).

-spec decode_messageHeader(binary()) -> {ok, #messageHeader{}, Rest :: binary()} | {error, aldis:reason()}.
decode_messageHeader(Bin) ->
    try fast_decode_messageHeader(Bin) catch throw:_ -> decode_messageHeader_carefully(Bin, default) end.

-spec decode_messageHeader(binary(), aldis:decode_options()) ->
    {ok, #messageHeader{}, Rest :: binary()} | {error, aldis:reason()}.
decode_messageHeader(Bin, Options) ->
    aldis:decoded(fun decode_messageHeader/1, fun decode_messageHeader_carefully/2, Bin, Options).

-spec messageHeader_session(binary()) -> aldis:read(aldis:uint16()).
messageHeader_session(Bin) -> messageHeader_get(session, Bin).

-spec messageHeader_get(atom(), binary()) -> {ok, term()} | {error, aldis:reason()}.
messageHeader_get(Field, Bin) -> feature_view:messageHeader_get(Field, Bin).
-spec messageHeader_get(atom(), binary(), aldis:decode_options()) -> {ok, term()} | {error, aldis:reason()}.
messageHeader_get(Field, Bin, Options) -> feature_view:messageHeader_get(Field, Bin, Options).
-spec to_json_messageHeader(#messageHeader{}) -> {ok, binary()} | {error, aldis:reason()}.
to_json_messageHeader(Value) -> feature_json:to_json_messageHeader(Value).
-spec from_json_messageHeader(iodata()) -> {ok, #messageHeader{}} | {error, aldis:reason()}.
from_json_messageHeader(Text) -> feature_json:from_json_messageHeader(Text).

%% -----------------------------------------------------------------------------
%% The whole schema
%% [as in the base]
encode(#'Message'{} = Value) -> encode_Message(Value);
encode(#messageHeader{} = Value) -> encode_messageHeader(Value);
encode(_) -> {error, {unknown_message, '-', <<>>}}.
%% [as in the base]
    try
        aldis_wire:expect(Bin, 6, 16, little, 1),
        Id = aldis_wire:id(Bin, 0, 4, 16, little),
        case Id of
%% [as in the base]
-spec decode(binary()) -> {ok, tuple(), Rest :: binary()} | {error, aldis:reason()}.
decode(<<_:4/binary, 1:16/little, 1:16/little, _/binary>> = Bin) -> decode_Message(Bin);
decode(Bin) ->
%% [as in the base]

-spec header(binary()) -> {ok, #messageHeader{}} | {error, aldis:reason()}.
header(Bin) ->
    case decode_messageHeader(Bin) of
        {ok, Header, _} -> {ok, Header};
        {error, _} = Error -> Error
    end.

-spec put_header(binary(), #messageHeader{}) -> {ok, binary()} | {error, aldis:reason()}.
put_header(Bin, Header) ->
    case encode_messageHeader(Header) of
        {ok, Given} ->
            case {Bin, Given} of
                {<<_:2/binary, Kept:8/binary, Rest/binary>>, <<Given0:2/binary, _:8/binary>>} ->
                    {ok, <<Given0/binary, Kept/binary, Rest/binary>>};
                _ -> {error, {truncated, 0, <<>>}}
            end;
        {error, _} = Error -> Error
    end.

-spec encode(tuple(), #messageHeader{}) -> {ok, binary()} | {error, aldis:reason()}.
encode(Value, Header) ->
    case encode(Value) of
        {ok, Bin} -> put_header(Bin, Header);
        {error, _} = Error -> Error
    end.

-spec messages() -> [{FullName :: binary(), Record :: atom(), Id :: non_neg_integer() | undefined}].
messages() ->
    [{<<"feature.Message">>, 'Message', 1}, {<<"feature.messageHeader">>, messageHeader, undefined}].

%% [as in the base]

about('Message') -> {record, [{number, uint32}]};
about(messageHeader) -> {record, [{session, uint16}]}.
%% ==== feature_view.erl
%% [as in the base]

-export(['Message_get'/2, 'Message_get'/3, messageHeader_get/2, messageHeader_get/3]).

%% [as in the base]
    aldis:check_field(Field, record_info(fields, 'Message')),
    aldis_wire:viewed(Field, fun feature:open_Message/1, fun view_Message/6, 10, Bin, Limits).

'Message_get'(
    number,
    <<_:2/binary, 4:16/little, 1:16/little, 1:16/little, _:16/little, Number_:32/little, _/binary>>
) ->
    {ok, Number_};
%% [as in the base]
    aldis:viewed(Field, fun 'Message_get'/2, fun 'Message_get_carefully'/3, Bin, Options).

%% feature.messageHeader

view_messageHeader(Field, Bin, _Depth, _Budget, Path) ->
    {Block, _} = aldis_wire:block(Bin, 10, Path),
    aldis_run:field(feature:run_messageHeader(), Field, Block, 0).

messageHeader_get_carefully(Field, Bin, Limits) ->
    aldis:check_field(Field, record_info(fields, messageHeader)),
    aldis_wire:viewed(Field, fun feature:open_messageHeader/1, fun view_messageHeader/5, 0, Bin, Limits).

messageHeader_get(session, <<Session:16/little, _:8/binary, _/binary>>) -> {ok, Session};
messageHeader_get(Field, Bin) -> messageHeader_get_carefully(Field, Bin, default).

messageHeader_get(Field, Bin, Options) ->
    aldis:viewed(Field, fun messageHeader_get/2, fun messageHeader_get_carefully/3, Bin, Options).
%% ==== feature_json.erl
%% [as in the base]

-export([to_json_Message/1, from_json_Message/1, to_json_messageHeader/1, from_json_messageHeader/1]).

%% [as in the base]
from_json_Message(Text) -> aldis_json_table:from_json(json_Message(), Text).

%% feature.messageHeader

json_messageHeader() ->
    {record, messageHeader, none, [{session, <<"session">>, <<"{\"session\":">>, uint16}]}.

to_json_messageHeader(Value) -> aldis_json_table:to_json(json_messageHeader(), Value).

from_json_messageHeader(Text) -> aldis_json_table:from_json(json_messageHeader(), Text).
