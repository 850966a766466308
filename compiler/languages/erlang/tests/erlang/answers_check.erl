%% @doc The answers of single calls of generated functions: faults with their paths, wrong values, work that is refused.
-module(answers_check).

-include("answers.hrl").

-export([main/0]).

%% @doc Prints the number of calls that answered as they should, or stops the system with the first that did not.
-spec main() -> no_return().
main() ->
    Cases = json() ++ no_bytes() ++ keys() ++ equal_keys() ++ aliases() ++ limits() ++ elsewhere(),
    [stop(Given, Wanted) || {Given, Wanted} <- Cases, Given =/= Wanted],
    io:format("~b~n", [length(Cases)]),
    halt(0).

json() ->
    All = answers:new_All(),
    Order = answers:new_Order(),
    To = fun answers:to_json_All/1,
    From = fun answers:from_json_All/1,
    [
        {To(All#'All'{small = 256}), fault(out_of_range, <<"small">>)},
        {To(All#'All'{three = [1, 2]}), fault(out_of_range, <<"three">>)},
        {To(All#'All'{three = [1, 2, 1 bsl 31]}), fault(out_of_range, <<"three[2]">>)},
        {To(All#'All'{items = [Order, Order#'Order'{id = x}]}), fault(bad_value, <<"items[1].id">>)},
        {To(All#'All'{items = [Order#'Order'{price = high}]}), fault(bad_value, <<"items[0].price">>)},
        {To(All#'All'{sides = #{buy => 1, north => 1}}), fault(bad_value, <<"sides[1]">>)},
        {From(<<"{\"items\":[{},{\"id\":true}]}">>), fault(bad_json, <<"items[1].id">>)},
        {From(<<"{\"sides\":{\"0\":1,\"1\":128}}">>), fault(out_of_range, <<"sides[1]">>)},
        {From(<<"{\"three\":[1,2]}">>), fault(bad_json, <<"three">>)},
        {From(["{", <<"}">>]), {ok, All}},
        %% Sets are as they are on the wire: in order, and nothing twice.
        {answers:from_json_All(element(2, To(All#'All'{parts = [<<"b">>, <<"a">>, "b"]}))),
            {ok, All#'All'{parts = [<<"a">>, <<"b">>]}}}
    ].

%% A term that is no binary gives an error value, whatever is asked of it.
no_bytes() ->
    Calls = [
        fun answers:decode/1, fun answers:identify/1, fun answers:decode_final/1, fun answers:decode_All/1,
        fun answers:decode_All_final/1, fun answers:'All_small'/1, fun answers:'All_items'/1, fun answers:from_json_All/1
    ],
    [{Call(Junk), fault(bad_value, <<>>)} || Call <- Calls, Junk <- [foo, 7, {}]].

%% Keys that are none have the path of their set or map; bytes are sorted as bytes, in whatever shape they come.
keys() ->
    All = answers:new_All(),
    [
        {answers:encode_All(All#'All'{sides = #{north => 1}}), fault(bad_value, <<"sides">>)},
        {answers:encode_All(All#'All'{rights = [[read], [fly]]}), fault(bad_value, <<"rights">>)},
        {answers:encode_All_final(All#'All'{rights = [[read], fly]}), fault(bad_value, <<"rights">>)},
        {written([<<201>>, [233], [200, []], <<233>>, <<>>]), [<<>>, <<200>>, <<201>>, <<233>>]},
        {written([[195, 169], [233]]), [<<195, 169>>, <<233>>]}
    ].

%% Keys that differ as terms may be one key: writing both would lose a value.
equal_keys() ->
    All = answers:new_All(),
    Names = All#'All'{names = #{"k" => 1, <<"k">> => 2}},
    Granted = All#'All'{granted = #{[read, write] => 1, [write, read] => 2}},
    %% One float of 32 bits.
    Rates = All#'All'{rates = #{0.1 => 1, 0.10000000149011612 => 2}},
    {ok, Steps} = answers:encode_All(All#'All'{steps = [0.1, 0.10000000149011612, 0.2]}),
    [
        {answers:encode_All(Names), fault(bad_value, <<"names">>)},
        {answers:encode_All_final(Names), fault(bad_value, <<"names">>)},
        {answers:to_json_All(Names), fault(bad_value, <<"names">>)},
        {answers:encode_All(Granted), fault(bad_value, <<"granted">>)},
        {answers:encode_All_final(Granted), fault(bad_value, <<"granted">>)},
        {answers:encode_All(Rates), fault(bad_value, <<"rates">>)},
        {answers:encode_All_final(Rates), fault(bad_value, <<"rates">>)},
        {answers:'All_steps'(Steps), {ok, [0.10000000149011612, 0.20000000298023224]}}
    ].

written(Parts) ->
    {ok, Bin} = answers:encode_All((answers:new_All())#'All'{parts = Parts}),
    {ok, Read} = answers:'All_parts'(Bin),
    Read.

%% Two lists of the same bytes are less than the budget of small messages and eight times the input, three are not: each
%% byte is charged eight.
aliases() ->
    {error, {Code, _, Path}} = answers:decode_Parts(aliased(3, 30000)),
    [{lengths(aliased(2, 30000)), [30000, 30000]}, {Code, too_large}, {Path, <<"parts[2].list">>}].

%% A message that is too large by default is not where the caller allows it, and the other way round.
limits() ->
    Bin = aliased(3, 30000),
    {ok, Read, <<>>} = answers:decode_Parts(Bin, #{limits => reference}),
    {ok, Final} = answers:encode_Parts_final(Read),
    [
        {[length(List) || #'Part'{list = List} <- Read#'Parts'.parts], [30000, 30000, 30000]},
        {answers:decode_Parts(Bin, #{limits => default}), answers:decode_Parts(Bin)},
        {answers:decode_Parts(Bin, #{limits => 1000000, copy => true}), {ok, Read, <<>>}},
        {element(1, element(2, answers:decode_Parts(Bin, #{limits => 100000}))), too_large},
        {answers:decode_Parts(Bin, #{limits => 7}), {error, {too_large, 0, <<>>}}},
        {answers:decode(Bin, #{limits => reference}), {ok, Read, <<>>}},
        {answers:'Parts_get'(parts, Bin, #{limits => reference}), {ok, Read#'Parts'.parts}},
        {element(1, element(2, answers:'Parts_get'(parts, Bin, #{}))), too_large},
        {answers:decode_Parts_final(Final, #{limits => 7}), {error, {too_large, 0, <<>>}}}
    ].

%% Links of a list that do not lead to one element after another are followed all the same, or refused.
elsewhere() ->
    [{lengths(aliased(2, 3)), [3, 3]}, {lengths(aliased(1, 3)), [3]}] ++
        [{element(1, answers:decode_Parts(changed(aliased(2, 3), At))), error} || At <- [27, 31]].

changed(Bin, At) ->
    <<Before:At/binary, Byte, After/binary>> = Bin,
    <<Before/binary, (Byte bxor 128), After/binary>>.

lengths(Bin) ->
    {ok, #'Parts'{parts = Parts}, <<>>} = answers:decode_Parts(Bin),
    [length(List) || #'Part'{list = List} <- Parts].

aliased(Count, Size) ->
    Links = binary:copy(<<(16 + 4 * Count):32/little>>, Count),
    Body = [numbers([8, 12, 2, 12, Count]), Links, numbers([12, 1, 12, Size]), binary:copy(<<200>>, Size)],
    iolist_to_binary([numbers([iolist_size(Body) + 4]), Body]).

numbers(Numbers) -> << <<Number:32/little>> || Number <- Numbers >>.

fault(Code, Path) -> {error, {Code, '-', Path}}.

-spec stop(term(), term()) -> no_return().
stop(Given, Wanted) ->
    io:format("~p in place of ~p~n", [Given, Wanted]),
    halt(1).
