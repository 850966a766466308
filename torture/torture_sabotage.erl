%% Shows that the check of a round sees what it is there for: the batches of a real log are damaged in every way that it must
%% find, one at a time, and judged beside the real journals. `erl -run torture_sabotage main LOG JOURNALS' ends with 0
%% when each was called by its name, with 2 when the log has too little to damage, and with 1 otherwise.
-module(torture_sabotage).

-export([main/1]).

-spec main([string()]) -> no_return().
main([Folder, JournalFolder]) ->
    Batches = torture_check:fold(Folder, fun(Batch, Acc) -> {ok, [Batch | Acc]} end, []),
    InOrder = lists:reverse(Batches),
    Journals = torture_check:journals(JournalFolder),
    none = verdict(InOrder, Journals),
    {0, 0} = torture_check:counted(folded(InOrder), Journals),
    lists:any(fun(Batch) -> in_the_middle(Batch, InOrder) end, InOrder) orelse halt(2),
    Missed = [{Damage, Wanted, Said} || {Damage, Wanted, Damaged, Beside} <- damages(InOrder, Journals),
        Said <- [verdict(Damaged, Beside)], Said =/= Wanted orelse not numbered(Damage, torture_check:counted(folded(Damaged), Beside))],
    case Missed of
        [] ->
            io:format("the check sees ~b kinds of damage~n", [length(damages(InOrder, Journals))]),
            halt(0);
        _ ->
            io:format("the check does not see, by its name: ~0tp~n", [Missed]),
            halt(1)
    end.

verdict(Batches, Journals) ->
    try torture_check:judge(folded(Batches), Journals) of
        {_, _, _} -> none
    catch
        throw:Wrong -> element(1, Wrong)
    end.

folded(Batches) ->
    fun(Fun, Begin) -> lists:foldl(fun(Batch, Acc) -> {ok, Next} = Fun(Batch, Acc), Next end, Begin, Batches) end.

%% The damage, the words that it must lead to, and the batches and journals after it.
damages(Batches, Journals) ->
    %% A life with three batches at least, of which the middle one has three messages at least.
    {Before, [Here | After]} = lists:splitwith(fun(Batch) -> not in_the_middle(Batch, Batches) end, Batches),
    #{producer := Producer, epoch := Epoch, first := First} = Here,
    Life = {Producer, Epoch},
    Last = lists:last(of_life(Life, Batches)),
    Messages = messages(Here),
    [First1, Second | More] = Messages,
    Changed = fun(New) -> Before ++ [with(New, Here)] ++ After end,
    Next = hd(of_life(Life, After)),
    {Sent, Acked} = maps:get(Life, Journals),
    [
        {message_lost, not_what_was_sent, Changed([First1 | More]), Journals},
        {message_doubled, not_what_was_sent, Changed([First1, First1, Second | More]), Journals},
        {messages_reordered, not_what_was_sent, Changed([Second, First1 | More]), Journals},
        {byte_changed, not_what_was_sent, Changed([flipped(First1), Second | More]), Journals},
        {batch_lost, not_in_order, Before ++ After, Journals},
        {batch_doubled, not_in_order, Before ++ [Here, Here | After], Journals},
        {batches_reordered, not_in_order, Before ++ [Next, Here | lists:delete(Next, After)], Journals},
        {last_batch_lost, acknowledged_and_lost, lists:delete(Last, Batches), Journals#{Life := {Sent, max(Acked, last(Last))}}},
        {all_lost, acknowledged_and_lost, [], Journals#{Life := {Sent, max(Acked, First)}}},
        {older_epoch_again, older_epoch_after_newer,
            Batches ++ [Last#{epoch := Epoch + 1, count := 1, first := 1, entries := one({Producer, Epoch + 1})},
                        Last#{first := last(Last) + 1}],
            Journals#{{Producer, Epoch + 1} => {1, 0}}},
        {never_sent, never_sent, Batches, Journals#{Life := {First, min(Acked, First)}}},
        {nobodys, unknown_producer, Batches, maps:remove(Life, Journals)}
    ].

%% The messages that the table counts as lost and doubled.
numbered(all_lost, {Lost, 0}) -> Lost > 0;
numbered(last_batch_lost, {Lost, 0}) -> Lost > 0;
numbered(batch_doubled, {0, Doubled}) -> Doubled > 0;
numbered(Damage, _) -> not lists:member(Damage, [all_lost, last_batch_lost, batch_doubled]).

in_the_middle(#{count := Count, producer := Producer, epoch := Epoch} = Batch, Batches) when Count > 2 ->
    Life = of_life({Producer, Epoch}, Batches),
    Newest = lists:max([E || #{producer := P, epoch := E} <- Batches, P =:= Producer]),
    Newest =:= Epoch andalso Batch =/= hd(Life) andalso Batch =/= lists:last(Life);
in_the_middle(_, _) -> false.

of_life({Producer, Epoch}, Batches) ->
    [Batch || #{producer := P, epoch := E, count := Count} = Batch <- Batches, P =:= Producer, E =:= Epoch, Count > 0].

last(#{first := First, count := Count}) -> First + Count - 1.

messages(#{entries := Entries}) -> [Message || <<Size:32/little, Message:Size/binary>> <= Entries].

with(Messages, Batch) -> Batch#{count := length(Messages), entries := entries(Messages)}.

entries(Messages) -> iolist_to_binary([[<<(byte_size(Message)):32/little>>, Message] || Message <- Messages]).

flipped(<<Head:27/binary, Byte, Rest/binary>>) -> <<Head/binary, (Byte bxor 1), Rest/binary>>.

one({Producer, Epoch}) -> entries([torture_messages:message({Producer, torture_messages:pattern()}, Epoch, 1)]).
