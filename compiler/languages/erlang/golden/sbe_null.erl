%% ==== feature.hrl
%% [as in the base]
-record('Message', {
    count :: aldis:uint16() | undefined
}).
%% ==== feature.erl
%% [as in the base]
    decode_Message/2,
    'Message_count'/1,
    'Message_get'/2,
%% [as in the base]

-define(WITHIN_OR_NULL(Value, Min, Max),
    (Value =:= undefined orelse (is_integer(Value) andalso Value >= Min andalso Value =< Max))).

-compile({inline, [nullable/2, or_null/2]}).

%% [as in the base]
%% Layout in sbe:   offset    size  field
%%                       0       2  count
%%                               2  (total, as this schema's writers write it)
%% -----------------------------------------------------------------------------
%% [as in the base]
new_Message() ->
    #'Message'{count = undefined}.

-dialyzer({no_match, write_Message/2}).
write_Message(#'Message'{count = Count_}, _Path) when ?WITHIN_OR_NULL(Count_, 0, 65535) ->
    <<(or_null(Count_, 65535)):16/little>>;
write_Message(#'Message'{count = Count_}, Path) ->
    <<
        (case Count_ of
            undefined -> 65535;
            _ -> aldis_check:int(Count_, 0, 65535, [count | Path])
        end):16/little
    >>;
write_Message(_, Path) ->
%% [as in the base]
-dialyzer({no_match, fast_encode_Message/1}).
fast_encode_Message(#'Message'{count = Count_}) when ?WITHIN_OR_NULL(Count_, 0, 65535) ->
    <<2:16/little, 1:16/little, 1:16/little, 0:16/little, (or_null(Count_, 65535)):16/little>>;
fast_encode_Message(_) ->
%% [as in the base]
        Body = write_Message(Value, []),
        {ok, [<<2:16/little, 1:16/little, 1:16/little, 0:16/little>>, Body]}
    catch
%% [as in the base]

read_Message(<<Count_:16/little, Rest/binary>>, 2, Depth, Budget, _Path) when Depth =< 64, Budget >= 2 ->
    {#'Message'{count = nullable(Count_, 65535)}, Rest, Budget - 2};
read_Message(Bin, Extent, Depth, Budget, Path) ->
    aldis_wire:check_depth(Depth, Bin, Path),
    {Block, Rest} = aldis_wire:block(Bin, Extent, {0, [{0, 2, 2, 0, [count]}]}, Path),
    Budget1 = aldis_wire:charge(Budget, Extent, Bin, Path),
%% [as in the base]
        #'Message'{
            count = case Block of
                <<Count_:16/little, _/binary>> -> nullable(Count_, 65535);
                _ -> undefined
%% [as in the base]

fast_decode_Message(<<2:16/little, 1:16/little, 1:16/little, _:16/little, Count_:16/little, Rest/binary>>) ->
    {ok, #'Message'{count = nullable(Count_, 65535)}, Rest};
fast_decode_Message(_) ->
%% [as in the base]

-spec 'Message_count'(binary()) -> {ok, aldis:uint16() | undefined} | {error, aldis:reason()}.
'Message_count'(Bin) ->
    feature_view:'Message_get'(count, Bin).

%% [as in the base]
about('Message') ->
    {record, [{count, {optional, {int, 0, 65535}}}]}.


%% -----------------------------------------------------------------------------
%% Helpers
%% -----------------------------------------------------------------------------

nullable(Null, Null) ->
    undefined;
nullable(Value, _) ->
    Value.

or_null(undefined, Null) ->
    Null;
or_null(Value, _) ->
    Value.
%% ==== feature_view.erl
%% [as in the base]

-compile({inline, [nullable/2]}).

%% -----------------------------------------------------------------------------
%% [as in the base]

view_Message_count(Bin, Extent, _Depth, _Budget, Path) ->
    {Block, _} = aldis_wire:block(Bin, Extent, Path),
    case Block of
        <<Count_:16/little, _/binary>> -> nullable(Count_, 65535);
        _ -> undefined
%% [as in the base]

'Message_reader'(count) ->
    fun view_Message_count/5;
'Message_reader'(Field) ->
    aldis:no_field(Field, [count]).

%% [as in the base]

'Message_get'(count, <<2:16/little, 1:16/little, 1:16/little, _:16/little, Count_:16/little, _/binary>>) ->
    {ok, nullable(Count_, 65535)};
'Message_get'(Field, Bin) ->
%% [as in the base]
    ).


%% -----------------------------------------------------------------------------
%% Helpers
%% -----------------------------------------------------------------------------

nullable(Null, Null) ->
    undefined;
nullable(Value, _) ->
    Value.
%% ==== feature_json.erl
%% [as in the base]
-dialyzer({no_match, json_Message/2}).
json_Message(#'Message'{count = Count_}, Path) ->
    [
        <<"{\"count\":">>,
        case Count_ of undefined -> <<"null">>; _ -> aldis_json:integer(Count_, 0, 65535, [count | Path]) end,
        <<"}">>
%% [as in the base]
from_Message(Json, Path) ->
    [Count_] = aldis_json:fields(Json, [<<"count">>], Path),
    #'Message'{
        count = case Count_ of
            missing -> undefined;
            null -> undefined;
            _ -> aldis_json:to_integer(Count_, 0, 65535, [count | Path])
        end
