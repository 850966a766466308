%% ==== feature.hrl
%% Text behind a pointer.
-ifndef(FEATURE_HRL).
%% [as in the base]
-record('Message', {
    name :: unicode:chardata() | undefined
}).
%% ==== feature.erl
%% Text behind a pointer.
-module(feature).
%% [as in the base]
    new_Message/0, encode_Message/1, encode_Message_iolist/1, decode_Message/1, decode_Message/2,
    'Message_name'/1, 'Message_get'/2, 'Message_get'/3, to_json_Message/1, from_json_Message/1, encode/1,
    identify/1, decode/1, decode/2, messages/0, format_error/2, format_error/3
%% [as in the base]

-define(GIVEN(Blob), case Blob of undefined -> <<>>; _ -> Blob end).
%% Long texts are for the long way, which does not copy them.
-define(TEXT_WORDS(Text),
    case Text of undefined -> 0; _ when byte_size(Text) < 16#10000 -> byte_size(Text) bsr 3 + 1 end).
-define(TEXT_POINTER(Text, Place),
    case Text of undefined -> 0; _ -> ((byte_size(Text) + 1) bsl 35) + ((Place) bsl 2) + 16#200000001 end).
-define(TEXT_PADDING(Text), case Text of undefined -> 0; _ -> 8 - byte_size(Text) band 7 end).

%% The last clauses are for values of other types.
%% [as in the base]
%%
%% Layout: 0 words of data, 1 pointer
%%   offset    size  field
%%     *0       8  name
%% -----------------------------------------------------------------------------
%% [as in the base]
-spec new_Message() -> #'Message'{}.
new_Message() -> #'Message'{name = undefined}.

%% [as in the base]
    {Body, Objects, End} = write_Message(Value, Next, Next + 1, Depth + 1, Path),
    {(Next - Place - 1) bsl 2, 65536, [Body | Objects], End}.

write_Message(#'Message'{name = Name_}, At, Next, _Depth, Path) ->
    {Name_Low, Name_High, Name_Io, Next1} = aldis_words:text(Name_, At, Next, [name | Path]),
    {<<Name_Low:32/little, Name_High:32/little>>, [Name_Io], Next1};
write_Message(_, _, _, _, Path) -> aldis_check:wrong(Path).
%% [as in the base]
-spec encode_Message_iolist(#'Message'{}) -> {ok, iodata()} | {error, aldis:reason()}.
encode_Message_iolist(#'Message'{name = Name_} = Value) when is_binary(Name_) ->
    try
        Name_Bytes = byte_size(Name_),
        true = Name_Bytes < 16#10000,
        Next1 = 1 + (Name_Bytes bsr 3) + 1,
        true = Next1 < 67108864,
        {
            ok,
            <<
                ((Next1 + 1) bsl 32):64/little, 0:32, 65536:32/little,
                ((Name_Bytes bsl 35) + 16#0A00000001):64/little, Name_/binary,
                0:(8 - (Name_Bytes band 7))/unit:8
            >>
        }
    catch
        _:_ -> aldis_message:encode(framed, fun put_Message/5, Value)
    end;
encode_Message_iolist(#'Message'{name = Name_} = Value) ->
    try
        Next1 = 1 + ?TEXT_WORDS(Name_),
        true = Next1 < 67108864,
        {
            ok,
            <<
                ((Next1 + 1) bsl 32):64/little, 0:32, 65536:32/little, (?TEXT_POINTER(Name_, 0)):64/little,
                (?GIVEN(Name_))/binary, 0:(?TEXT_PADDING(Name_))/unit:8
            >>
        }
    catch
        _:_ -> aldis_message:encode(framed, fun put_Message/5, Value)
    end;
encode_Message_iolist(Value) -> aldis_message:encode(framed, fun put_Message/5, Value).

read_Message(Bin, At, 0, 1, Message, Depth, Budget, Path) ->
    <<_:At/binary, Name_Low:32/signed-little, Name_High:32/little, _/binary>> = Bin,
    {Name_, Budget1} =
        aldis_pointer:text(Name_Low, Name_High, Bin, At, Message, Depth, Budget, [name | Path]),
    {#'Message'{name = Name_}, Budget1};
read_Message(Bin, At, Size, Count, Message, Depth, Budget, Path) ->
    <<Name_Low:32/signed-little, Name_High:32/little, _/binary>> =
        aldis_segments:sections(Bin, At, Size, Count, 0, 1, []),
    {Name_, Budget1} =
        aldis_pointer:text(Name_Low, Name_High, Bin, At + Size, Message, Depth, Budget, [name | Path]),
    {#'Message'{name = Name_}, Budget1}.

-spec decode_Message(binary()) -> {ok, #'Message'{}, Rest :: binary()} | {error, aldis:reason()}.
decode_Message(
    <<0:32, Words:32/little, 0:32, 65536:32/little, Name_Low:32/little, Name_High:32/little, _/binary>> = Bin
) when byte_size(Bin) =:= 8 * Words + 8, Words =< 32768 ->
    try
        Name_ = aldis_direct:text(Name_Low, Name_High, Bin, 24),
        {ok, #'Message'{name = Name_}, <<>>}
    catch
        _:_ -> aldis_message:decode(framed, fun read_Message/8, Bin)
    end;
decode_Message(Bin) -> aldis_message:decode(framed, fun read_Message/8, Bin).
%% [as in the base]

-spec 'Message_name'(binary()) -> aldis:read(binary() | undefined).
'Message_name'(Bin) -> 'Message_get'(name, Bin).

%% [as in the base]

about('Message') -> {record, [{name, {optional, text}}]}.
%% ==== feature_view.erl
%% Text behind a pointer.
%% @private A part of feature, which is what users call.
%% [as in the base]

view_Message_name(Bin, At, 0, 1, Message, Depth, Budget, Path) ->
    <<_:At/binary, Name_Low:32/signed-little, Name_High:32/little, _/binary>> = Bin,
    aldis_pointer:text(Name_Low, Name_High, Bin, At, Message, Depth, Budget, [name | Path]);
view_Message_name(Bin, At, Size, Count, Message, Depth, Budget, Path) ->
    <<Name_Low:32/signed-little, Name_High:32/little, _/binary>> =
        aldis_segments:sections(Bin, At, Size, Count, 0, 1, []),
    aldis_pointer:text(Name_Low, Name_High, Bin, At + Size, Message, Depth, Budget, [name | Path]).

'Message_get'(
    name,
    <<0:32, Words:32/little, 0:32, 65536:32/little, Name_Low:32/little, Name_High:32/little, _/binary>> = Bin
) when byte_size(Bin) =:= 8 * Words + 8, byte_size(Bin) < 16#4000 ->
    try {ok, aldis_direct:text(Name_Low, Name_High, Bin, 24)}
    catch _:_ -> aldis_message:view(fun view_Message_name/8, Bin)
    end;
'Message_get'(name, Bin) -> aldis_message:view(fun view_Message_name/8, Bin);
'Message_get'(Field, _) -> aldis:no_field(Field, record_info(fields, 'Message')).

'Message_get'(name, Bin, Options) ->
    aldis_message:viewed(fun view_Message_name/8, fun(Given) -> 'Message_get'(name, Given) end, Bin, Options);
'Message_get'(Field, _, _) -> aldis:no_field(Field, record_info(fields, 'Message')).
%% ==== feature_json.erl
%% Text behind a pointer.
%% @private A part of feature, which is what users call.
%% [as in the base]
json_Message() ->
    {object, [<<"name">>], {record, 'Message'}, record,
     [{field, {name, <<"name">>, <<"\"name\":">>, utf8, [], [undefined], [undefined]}, [undefined, []]}]}.

