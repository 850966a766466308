%% @doc The answers of single calls about messages of segments: values as users see them, hostile bytes, wrong terms.
-module(segments_check).

-include("corners.hrl").

-export([main/0]).

%% @doc Prints the number of calls that answered as they should, or stops the system with the first that did not.
-spec main() -> no_return().
main() ->
    Cases = shapes() ++ defaults() ++ views() ++ unknown() ++ opaque() ++ hostile() ++ limits() ++ wrong() ++ rest(),
    [stop(Index, Given, Wanted) || {Index, {Given, Wanted}} <- lists:enumerate(Cases), Given =/= Wanted],
    io:format("~b~n", [length(Cases)]),
    halt(0).

stop(Index, Given, Wanted) ->
    io:format("case ~b: ~p in place of ~p~n", [Index, Given, Wanted]),
    halt(1).

%% The words of a shell where a name that no field has is asked for.
no_field(Name, Bin) ->
    try corners:'Shape_get'(Name, Bin)
    catch error:badarg:Stack -> maps:get(general, aldis:format_error(badarg, Stack))
    end.

%% Groups are records, unions tuples, a record that is nothing but a union that union's tuple.
shapes() ->
    Shape = #'Shape'{id = 7, '' = {circle, 2.5}, size = #'Shape_size'{w = 1, h = 2}, colour = {name, <<"red">>}},
    Trees = {node, [{leaf, 1}, {node, [{leaf, -2}, {empty, undefined}]}]},
    Unions = #'Unions'{items = [
        #'Item'{extra = false, '' = {text, <<"a">>}},
        #'Item'{extra = false, '' = {more, #'Item_more'{list = [#'Item'{extra = false, '' = {none, undefined}}], last = <<"z">>}}},
        #'Item'{extra = false, '' = {none, undefined}}
    ]},
    [round(V, fun corners:encode_Shape/1, fun corners:decode_Shape/1) || V <- [Shape]]
        ++ [round(V, fun corners:encode_Tree/1, fun corners:decode_Tree/1) || V <- [Trees, {leaf, 0}, {unknown, 9}]]
        ++ [round(V, fun corners:encode_Tree_packed/1, fun corners:decode_Tree_packed/1) || V <- [Trees]]
        ++ [round(V, fun corners:encode_Tree_canonical/1, fun corners:decode_Tree_canonical/1) || V <- [Trees]]
        ++ [round(V, fun corners:encode_Unions/1, fun corners:decode_Unions/1) || V <- [Unions]]
        ++ [round(V, fun corners:encode_Named/1, fun corners:decode_Named/1)
            || V <- [#'Named'{'after' = true, '' = {{arm, unknown}, 1}}, #'Named'{'after' = true, '' = {unknown, 4}}, #'Named'{'after' = true, '' = {'end', undefined}}]].

round(Value, Encode, Decode) ->
    {ok, Bin} = Encode(Value),
    {Decode(Bin), {ok, Value, <<>>}}.

%% The schema's defaults stand in new records and where single fields are null; decoding shows null as it is.
defaults() ->
    New = corners:new_Defaults(),
    Null = <<0:32, 1:32/little, 0:64>>,
    {ok, Read, <<>>} = corners:decode_Defaults(Null),
    [
        {New#'Defaults'.number, 5},
        {New#'Defaults'.text, <<"hello">>},
        {New#'Defaults'.numbers, [1, 2, 3]},
        {New#'Defaults'.shape, #'Shape'{id = 3, '' = {square, 4.0}, size = #'Shape_size'{w = 1, h = 0}, colour = {rgb, 0}}},
        {New#'Defaults'.float, nan},
        {New#'Defaults'.flag, true},
        {New#'Defaults'.plain, undefined},
        {Read, New#'Defaults'{text = undefined, numbers = undefined, shape = undefined}},
        {corners:'Defaults_text'(Null), {ok, <<"hello">>}},
        {corners:'Defaults_numbers'(Null), {ok, [1, 2, 3]}},
        {corners:'Defaults_number'(Null), {ok, 5}},
        {corners:'Defaults_float'(Null), {ok, nan}},
        {corners:'Defaults_plain'(Null), {ok, undefined}},
        {corners:encode_Defaults(Read), {ok, <<0:32, 6:32/little, 0:32, 1:16/little, 4:16/little, 0:(5 * 64)>>}}
    ].

views() ->
    Shape = #'Shape'{id = 7, '' = {circle, nan}, size = #'Shape_size'{w = 1, h = 2}, colour = {rgb, 9}},
    {ok, Bin} = corners:encode_Shape(Shape),
    [
        {corners:'Shape_id'(Bin), {ok, 7}},
        {corners:'Shape_'(Bin), {ok, {circle, nan}}},
        {corners:'Shape_get'('', Bin), {ok, {circle, nan}}},
        {corners:'Shape_get'(size, Bin), {ok, #'Shape_size'{w = 1, h = 2}}},
        {corners:'Shape_get'(colour, Bin), {ok, {rgb, 9}}},
        {no_field(nothing, Bin), <<"there is no field nothing; there are id, '', size, colour">>},
        {corners:encode(Shape), {ok, Bin}},
        {corners:encode({leaf, 1}), {error, {unknown_message, '-', <<>>}}},
        {corners:decode(Bin), {error, {unknown_message, '-', <<>>}}}
    ].

%% An enumerant, an arm and a text from a newer schema.
unknown() ->
    {ok, Bin} = corners:encode_Kinds(#'Kinds'{kind = 77, kinds = [a, 78, b]}),
    [
        {corners:decode_Kinds(Bin), {ok, #'Kinds'{kind = 77, kinds = [a, 78, b]}, <<>>}},
        {corners:to_json_Kinds(#'Kinds'{kind = 77, kinds = [a]}), {ok, <<"{\"kind\":77,\"kinds\":[\"a\"]}">>}},
        {corners:to_json_Tree({unknown, 3}), {ok, <<"{}">>}},
        {corners:from_json_Tree(<<"{\"leaf\":\"12\",\"other\":[{}]}">>), {ok, {leaf, 12}}},
        {corners:from_json_Tree(<<"{}">>), {ok, {leaf, 0}}},
        {corners:from_json_Tree(<<"{\"leaf\":1,\"empty\":null}">>), {error, {bad_json, '-', <<"empty">>}}}
    ].

%% A value of any type is a message of its own that goes where it came from unchanged.
opaque() ->
    {ok, Any} = corners:encode_as_Tree({node, [{leaf, 5}]}),
    Holder = #'Holder'{any = Any, list = undefined, cap = {any_pointer, <<3:32/little, 8:32/little>>}},
    {ok, Bin} = corners:encode_Holder(Holder),
    [
        {corners:decode_Holder(Bin), {ok, Holder, <<>>}},
        {corners:decode_as_Tree(Any), {ok, {node, [{leaf, 5}]}}},
        {corners:decode_as_Tree(Any), {ok, {node, [{leaf, 5}]}}},
        {corners:decode_as_Tree({any_pointer, <<>>}), {error, {truncated, 0, <<>>}}},
        {corners:decode_as_Tree(Bin), {error, {bad_value, '-', <<>>}}},
        {corners:encode_Holder_canonical(Holder), {error, {bad_value, '-', <<>>}}},
        {corners:encode_Holder(Holder#'Holder'{any = {any_pointer, <<1:64>>}}), {error, {bad_pointer, '-', <<"any">>}}},
        {corners:to_json_Holder(Holder), {error, {bad_value, '-', <<"any">>}}}
    ].

%% Attacks on readers that follow what they are told: each is refused before memory is taken.
hostile() ->
    [
        %% A list of 2^29 - 1 nothings.
        {code(corners:decode_Voids(message([<<0:32, 0:16, 1:16/little>>, list(0, 0, 16#1FFFFFFF)]))), too_large},
        %% A list of as many records of no size.
        {code(corners:decode_Unions(message([<<0:32, 0:16, 1:16/little>>, list(0, 7, 0),
            <<16#7FFFFFFC:32/little, 0:32>>]))), too_large},
        %% A record that is its own child, a list that is its own element.
        {code(corners:decode_Chain(message([<<0:32, 0:16, 1:16/little>>, <<-4:32/little, 0:16, 1:16/little>>]))), too_deep},
        {code(corners:decode_Tree(message([<<0:32, 2:16/little, 1:16/little>>, children(0), <<4:32/little, 2:16/little, 1:16/little>>,
            children(-4)]))), too_deep},
        %% Each of 24 lists has the next one twice.
        {code(corners:decode_Twice(doubled(24))), too_large},
        %% 32 MiB in 32 KiB.
        {code(corners:decode_Twice_packed(packed_zeros(1 bsl 22))), too_large}
    ].

%% Lists whose elements take no room are honest, and too large by default.
limits() ->
    Voids = fun(Count) -> #'Voids'{list = lists:duplicate(Count, undefined)} end,
    Many = Voids(50000),
    %% No encoder writes a value that no decoder reads by default: it is made of a value that holds one.
    {ok, <<Head:12/binary, _:32>> = One} = corners:encode_Voids_canonical(Voids(1)),
    Flat = <<Head/binary, (50000 bsl 3):32/little>>,
    Framed = <<0:32, (byte_size(One) div 8):32/little, Flat/binary>>,
    Packed = iolist_to_binary(aldis_segments:packed(Flat, byte_size(Flat) div 8)),
    Any = {any_pointer, Flat},
    Unwritten = {error, {too_large, '-', <<>>}},
    Zeros = (corners:new_Defaults())#'Defaults'{numbers = lists:duplicate(300000, 0)},
    {ok, Small} = corners:encode_Defaults_packed(Zeros),
    Fault = fun(Place, Path) -> {error, {too_large, Place, Path}} end,
    Beyond = #{limits => reference},
    [
        {[Encode(Many) || Encode <- [fun corners:encode_Voids/1, fun corners:encode_Voids_packed/1,
            fun corners:encode_Voids_canonical/1, fun corners:encode_as_Voids/1]], lists:duplicate(4, Unwritten)},
        {element(1, corners:encode_Voids(Voids(30000))), ok},
        {code(corners:decode_Voids_canonical(One, #{depth => 1})), too_deep},
        {corners:decode_Voids_canonical(One, #{depth => 2}), {ok, Voids(1), <<>>}},
        {corners:decode_Voids(Framed), Fault(8 + 8, <<"list">>)},
        {corners:decode_Voids(Framed, #{limits => default}), Fault(8 + 8, <<"list">>)},
        {corners:decode_Voids(Framed, Beyond), {ok, Many, <<>>}},
        {corners:decode_Voids(Framed, #{limits => 400016}), {ok, Many, <<>>}},
        {corners:decode_Voids(Framed, #{limits => 400000}), Fault(8 + 8, <<"list">>)},
        {corners:decode_Voids(Framed, #{limits => 7}), Fault(8, <<>>)},
        {corners:'Voids_get'(list, Framed, Beyond), {ok, Many#'Voids'.list}},
        {corners:'Voids_get'(list, Framed, #{}), Fault(8 + 8, <<"list">>)},
        {corners:decode_Voids_packed(Packed), Fault('-', <<"list">>)},
        {corners:decode_Voids_packed(Packed, Beyond), {ok, Many, <<>>}},
        {corners:decode_Voids_canonical(Flat, Beyond), {ok, Many, <<>>}},
        {code(corners:decode_as_Voids(Any)), too_large},
        {corners:decode_as_Voids(Any, Beyond), {ok, Many}},
        %% Beyond the limit before anything is unpacked: its place is that behind the packed table.
        {corners:decode_Defaults_packed(packed_zeros(1 bsl 22)), Fault(2, <<>>)},
        {corners:decode_Defaults_packed(Small, #{limits => 100000}), Fault('-', <<"numbers">>)},
        {corners:decode_Defaults_packed(Small), {ok, Zeros, <<>>}},
        {corners:decode_Defaults_packed(Small, Beyond), {ok, Zeros, <<>>}},
        {try corners:decode_Voids(Framed, #{limits => much}) catch error:Wrong -> Wrong end, badarg}
    ].

code({error, {Code, _, _}}) -> Code;
code(Other) -> Other.

message(Words) ->
    Segment = iolist_to_binary(Words),
    <<0:32, (byte_size(Segment) div 8):32/little, Segment/binary>>.

list(Offset, Code, Count) -> <<((Offset bsl 2) + 1):32/little, (Code + (Count bsl 3)):32/little>>.

%% A tree with children in a list.
children(Offset) -> [<<0:64, 1:16/little, 0:48>>, list(Offset, 7, 3)].

%% Records of two pointers, both to the next record.
doubled(Levels) ->
    Pointer = fun(Offset) -> <<(Offset bsl 2):32/little, 0:16, 2:16/little>> end,
    message([Pointer(0), [[Pointer(1), Pointer(0)] || _ <- lists:seq(1, Levels)], <<0:128>>]).

%% A table of one segment of so many words, none of which is there but as a run of zeros.
packed_zeros(Words) ->
    iolist_to_binary([aldis_packing:pack(<<0:32, Words:32/little>>), lists:duplicate(Words div 256, <<0, 255>>)]).

%% Terms of other types are faults with the path of the field.
wrong() ->
    Shape = (corners:new_Shape())#'Shape'{id = 1},
    Fault = fun(Code, Path) -> {error, {Code, '-', Path}} end,
    [
        {corners:encode_Shape(Shape#'Shape'{id = -1}), Fault(out_of_range, <<"id">>)},
        {corners:encode_Shape(Shape#'Shape'{'' = {circle, a}}), Fault(bad_value, <<"circle">>)},
        {corners:encode_Shape(Shape#'Shape'{'' = circle}), Fault(bad_value, <<>>)},
        {corners:encode_Shape(Shape#'Shape'{size = 4}), Fault(bad_value, <<>>)},
        {corners:encode_Shape(Shape#'Shape'{colour = {name, 7}}), Fault(bad_value, <<"colour.name">>)},
        {corners:encode_Shape(Shape#'Shape'{colour = {unknown, 70000}}), Fault(out_of_range, <<"colour">>)},
        {corners:encode_Tree({empty, 1}), Fault(bad_value, <<"empty">>)},
        {corners:encode_Tree({node, [{leaf, 1}, {leaf, x}]}), Fault(bad_value, <<"node[1].leaf">>)},
        {corners:encode_Tree(undefined), Fault(bad_value, <<>>)},
        {corners:encode_Voids(#'Voids'{list = [undefined, 1]}), Fault(bad_value, <<"list">>)},
        {code(corners:encode_Tree(deep(32))), too_deep},
        {element(1, corners:encode_Tree(deep(31))), ok},
        %% JSON counts records alone.
        {code(corners:to_json_Tree(deep(64))), too_deep},
        {element(1, corners:from_json_Tree(element(2, corners:to_json_Tree(deep(63))))), ok},
        {corners:decode_Tree(tree), {error, {bad_value, '-', <<>>}}},
        {corners:decode_Tree(<<>>), {error, {truncated, 0, <<>>}}}
    ].

%% A list and a record a level.
deep(0) -> {leaf, 1};
deep(Level) -> {node, [deep(Level - 1)]}.

%% Messages follow each other in a stream; what is no whole word after a flat one is left.
rest() ->
    {ok, Bin} = corners:encode_Tree({leaf, 1}),
    {ok, Packed} = corners:encode_Tree_packed({leaf, 1}),
    {ok, Flat} = corners:encode_Tree_canonical({leaf, 1}),
    [
        {corners:decode_Tree(<<Bin/binary, Bin/binary>>), {ok, {leaf, 1}, Bin}},
        {corners:decode_Tree_packed(<<Packed/binary, Packed/binary>>), {ok, {leaf, 1}, Packed}},
        {corners:decode_Tree_canonical(<<Flat/binary, 1, 2>>), {ok, {leaf, 1}, <<1, 2>>}}
    ].
