-module(aldis_client_queue_tests).

-include_lib("eunit/include/eunit.hrl").
-include("properties.hrl").

-define(ENOUGH, {1000000, 1000000000}).

entries(Messages) -> << <<(byte_size(M)):32/little, M/binary>> || M <- Messages >>.
messages({_, Count, Entries}) ->
    Messages = [M || <<Size:32/little, M:Size/binary>> <= Entries],
    Count = length(Messages),
    Messages.

with(Messages) -> with(Messages, aldis_client_queue:new(10, 1000)).
with(Messages, Queue) -> aldis_client_queue:add(length(Messages), entries(Messages), Queue).

open_batches_wait_for_their_seal_test() ->
    Q = with([<<"b">>], with([<<"a">>])),
    ?assert(aldis_client_queue:open(Q)),
    ?assertEqual(none, aldis_client_queue:take(?ENOUGH, 1000, Q)),
    {ok, {1, 2, _} = Batch, Q1} = aldis_client_queue:take(?ENOUGH, 1000, aldis_client_queue:seal(Q)),
    ?assertEqual([<<"a">>, <<"b">>], messages(Batch)),
    ?assertEqual(2, aldis_client_queue:sent(Q1)),
    ?assertEqual({2, 10}, aldis_client_queue:held(Q1)).

credit_and_room_test() ->
    Q = aldis_client_queue:seal(with([<<"12345">> || _ <- lists:seq(1, 9)])),
    {ok, {1, 4, _}, Q1} = aldis_client_queue:take({4, 1000}, 1000, Q),
    ?assertEqual(none, aldis_client_queue:take({4, 1000}, 1000, Q1)),
    %% One more would be less than a quarter of what waits.
    ?assertEqual(none, aldis_client_queue:take({5, 1000}, 1000, Q1)),
    {ok, {3, 2, _}, _} = aldis_client_queue:take({4, 1000}, 20, aldis_client_queue:ack(2, aldis_client_queue:rewind(1, Q1))),
    {ok, {1, 1, _}, _} = aldis_client_queue:take({0, 0}, 1000, Q),
    ?assertEqual({error, too_large}, aldis_client_queue:take({0, 0}, 8, Q)).

large_messages_get_batches_of_their_own_test() ->
    Big = binary:copy(<<"x">>, 5000),
    Q = with([<<"a">>, Big, <<"b">>, Big]),
    {ok, {1, 1, _}, Q1} = aldis_client_queue:take(?ENOUGH, 10000, Q),
    {ok, {2, 1, _}, Q2} = aldis_client_queue:take(?ENOUGH, 10000, Q1),
    {ok, {3, 1, _}, Q3} = aldis_client_queue:take(?ENOUGH, 10000, Q2),
    {ok, {4, 1, _}, Q4} = aldis_client_queue:take(?ENOUGH, 10000, Q3),
    ?assertEqual(none, aldis_client_queue:take(?ENOUGH, 10000, Q4)).

model_test() ->
    ?assert(proper:quickcheck(prop_model(), [{numtests, 1000}, quiet])).

%% Messages leave in their order, each sent again after a rewind from the first that is not acknowledged, and the books
%% (held, outstanding) are what counting gives.
prop_model() ->
    Step = oneof([{add, list(range(0, 60))}, seal, {take, range(0, 12), range(0, 300), range(64, 200)}, {ack, range(0, 8)},
        {rewind, range(0, 10)}, {forget, range(0, 8)}]),
    ?FORALL(Steps, list(Step), begin
        {_, _, _, _, Right} = lists:foldl(fun step/2, {aldis_client_queue:new(5, 100), [], 0, 0, true}, Steps),
        Right
    end).

%% All messages ever added; the last acknowledged; the last sent.
step(_, {_, _, _, _, false} = Wrong) -> Wrong;
step({add, []}, Acc) -> Acc;
step({add, Sizes}, {Q, All, Acked, Sent, _}) ->
    Messages = [<<N:Size/unit:8>> || {N, Size} <- lists:enumerate(length(All) + 1, Sizes)],
    books(with(Messages, Q), All ++ Messages, Acked, Sent);
step(seal, {Q, All, Acked, Sent, _}) -> books(aldis_client_queue:seal(Q), All, Acked, Sent);
step({take, Messages, Bytes, Room}, {Q, All, Acked, Sent, _}) ->
    case aldis_client_queue:take({Messages, Bytes}, Room, Q) of
        {ok, {First, Count, Entries} = Batch, Q1} ->
            Right = First =:= Sent + 1 andalso messages(Batch) =:= lists:sublist(All, First, Count)
                andalso byte_size(Entries) =< Room
                andalso (Count =:= 1 andalso Sent =:= Acked orelse Sent + Count - Acked =< Messages
                    andalso bytes(lists:sublist(All, Acked + 1, Sent + Count - Acked)) =< Bytes),
            {Q2, All, Acked, Sent1, Same} = books(Q1, All, Acked, Sent + Count),
            {Q2, All, Acked, Sent1, Same andalso Right};
        none -> books(Q, All, Acked, Sent)
    end;
step({ack, More}, {Q, All, Acked, Sent, _}) ->
    Last = min(Sent, Acked + More),
    books(aldis_client_queue:ack(Last, Q), All, Last, Sent);
step({rewind, More}, {Q, All, Acked, Sent, _}) ->
    books(aldis_client_queue:rewind(Acked + More, Q), All, Acked, min(Sent, max(Acked, Acked + More - 1)));
%% A server that knows more than this connection has sent.
step({forget, More}, {Q0, All, Acked, _, _}) ->
    Q = aldis_client_queue:seal(aldis_client_queue:rewind(0, Q0)),
    Last = min(length(All), Acked + More),
    books(aldis_client_queue:ack(Last, Q), All, Last, Last).

books(Q, All, Acked, Sent) ->
    Right = aldis_client_queue:acked(Q) =:= Acked andalso aldis_client_queue:sent(Q) =:= Sent
        andalso aldis_client_queue:next(Q) =:= length(All) + 1
        andalso aldis_client_queue:held(Q) =:= {length(All) - Acked, bytes(lists:nthtail(Acked, All))},
    {Q, All, Acked, Sent, Right}.

bytes(Messages) -> byte_size(entries(Messages)).
