%% ==== feature.hrl
%% A record without bytes of its own.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    size :: 'Message_size'()
}).
%% [as in the base]

%% Message.size
-record('Message_size', {
    width :: aldis:uint16(),
    height :: aldis:uint16()
}).
-type 'Message_size'() :: #'Message_size'{}.

-endif.
%% ==== feature.erl
%% A record without bytes of its own.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_size'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1,
    new_Message_size/0, encode/1, identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
]).
%% [as in the base]
%%   offset    size  field
%%      0       2  size.width
%%      2       2  size.height
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{size = new_Message_size()}.

%% [as in the base]

write_Message(
    #'Message'{size = #'Message_size'{width = Size__Width, height = Size__Height}},
    _At, Next, _Depth, Path
) ->
    {
        <<
            (aldis_check:int(Size__Width, 0, 65535, [width, size | Path])):16/little,
            (aldis_check:int(Size__Height, 0, 65535, [height, size | Path])):16/little,
            0:32
        >>,
        [], Next
    };
write_Message(_, _, _, _, Path) -> aldis_check:wrong(Path).
%% [as in the base]
-spec encode_Message_iolist(#'Message'{}) -> {ok, iodata()} | {error, aldis:reason()}.
encode_Message_iolist(#'Message'{size = #'Message_size'{width = Size__Width, height = Size__Height}})
    when ((Size__Width bsr 16) bor (Size__Height bsr 16)) =:= 0 ->
    {ok, <<0:32, 2:32/little, 0:32, 1:32/little, (Size__Width + (Size__Height bsl 16)):64/little>>};
encode_Message_iolist(Value) -> aldis_message:encode(framed, fun put_Message/5, Value).

read_Message(Bin, At, 8, 0, Message, Depth, Budget, Path) ->
    <<_:At/binary, Sections/binary>> = Bin,
    read_Message_sections(Sections, Bin, At, 8, 0, Message, Depth, Budget, Path);
read_Message(Bin, At, Size, Count, Message, Depth, Budget, Path) ->
    Sections = aldis_segments:sections(Bin, At, Size, Count, 8, 0, [{0, 2}, {2, 2}]),
    read_Message_sections(Sections, Bin, At, Size, Count, Message, Depth, Budget, Path).

read_Message_sections(
    <<Size__Width:16/little, Size__Height:16/little, _/binary>>,
    _Bin, _At, _Size, _Count, _Message, _Depth, Budget, _Path
) ->
    {#'Message'{size = #'Message_size'{width = Size__Width, height = Size__Height}}, Budget}.

-spec decode_Message(binary()) -> {ok, #'Message'{}, Rest :: binary()} | {error, aldis:reason()}.
decode_Message(
    <<0:32, 2:32/little, 0:32, 1:32/little, Size__Width:16/little, Size__Height:16/little, _:32>>
) ->
    {ok, #'Message'{size = #'Message_size'{width = Size__Width, height = Size__Height}}, <<>>};
decode_Message(
    <<0:32, 2:32/little, 0:32, 1:32/little, Size__Width:16/little, Size__Height:16/little, _:32, Rest/binary>>
) ->
    {ok, #'Message'{size = #'Message_size'{width = Size__Width, height = Size__Height}}, Rest};
decode_Message(Bin) -> aldis_message:decode(framed, fun read_Message/8, Bin).
%% [as in the base]

-spec 'Message_size'(binary()) -> aldis:read('Message_size'()).
'Message_size'(Bin) -> 'Message_get'(size, Bin).

%% [as in the base]
%% -----------------------------------------------------------------------------
%% Message.size
%% -----------------------------------------------------------------------------

-spec new_Message_size() -> #'Message_size'{}.
new_Message_size() -> #'Message_size'{width = 0, height = 0}.

%% -----------------------------------------------------------------------------
%% The whole schema
%% [as in the base]

about('Message') -> {record, [{size, {named, 'Message_size'}}]};
about('Message_size') -> {record, [{width, uint16}, {height, uint16}]}.
%% ==== feature_view.erl
%% A record without bytes of its own.
%% @private A part of feature, which is what users call.
%% [as in the base]

view_Message_size(Bin, At, 8, 0, Message, Depth, Budget, Path) ->
    <<_:At/binary, Sections/binary>> = Bin,
    view_Message_size_sections(Sections, Bin, At, 8, 0, Message, Depth, Budget, Path);
view_Message_size(Bin, At, Size, Count, Message, Depth, Budget, Path) ->
    Sections = aldis_segments:sections(Bin, At, Size, Count, 8, 0, [{0, 2}, {2, 2}]),
    view_Message_size_sections(Sections, Bin, At, Size, Count, Message, Depth, Budget, Path).

view_Message_size_sections(
    <<Size__Width:16/little, Size__Height:16/little, _/binary>>,
    _Bin, _At, _Size, _Count, _Message, _Depth, Budget, _Path
) ->
    {#'Message_size'{width = Size__Width, height = Size__Height}, Budget}.

'Message_get'(size, Bin) -> aldis_message:view(fun view_Message_size/8, Bin);
'Message_get'(Field, _) -> aldis:no_field(Field, record_info(fields, 'Message')).

'Message_get'(size, Bin, Options) ->
    aldis_message:viewed(fun view_Message_size/8, fun(Given) -> 'Message_get'(size, Given) end, Bin, Options);
'Message_get'(Field, _, _) -> aldis:no_field(Field, record_info(fields, 'Message')).
%% ==== feature_json.erl
%% A record without bytes of its own.
%% @private A part of feature, which is what users call.
%% [as in the base]

-export([to_json_Message/1, from_json_Message/1, default_Message_size/0, json_Message_size/0]).

%% [as in the base]
json_Message() ->
    {object, [<<"size">>], {record, 'Message'}, record,
     [{field,
       {size, <<"size">>, <<"\"size\":">>, fun feature_json:json_Message_size/0, [], [],
        {fun feature_json:default_Message_size/0, []}}, []}]}.

%% [as in the base]
from_json_Message(Text) -> aldis_json_table:from_json(json_Message(), Text).

%% Message.size

default_Message_size() -> #'Message_size'{width = 0, height = 0}.

json_Message_size() ->
    {object, [<<"width">>, <<"height">>], {record, 'Message_size'}, group,
     [{field, {width, <<"width">>, <<"\"width\":">>, {digits, uint16}, [], [], [0]}, []},
      {field, {height, <<"height">>, <<"\"height\":">>, {digits, uint16}, [], [], [0]}, []}]}.
