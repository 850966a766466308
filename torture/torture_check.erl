%% The log's content after a round: every acknowledged message once, in order a producer, and nothing that was not
%% sent. `erl -run torture_check main LOG JOURNALS' says so and ends with 0, or says what is wrong and ends with 1.
-module(torture_check).

-export([main/1, sink/2]).
%% For torture_sabotage, which damages what is judged here.
-export([fold/3, journals/1, judge/2, counted/2]).

-type life() :: {Producer :: <<_:128>>, Epoch :: pos_integer()}.

-spec main([string()]) -> no_return().
main([Log, Journals]) ->
    Sink = sink(Log, #{}),
    Fold = fun(Fun, Begin) -> of_sink(Sink, Fun, Begin) end,
    Known = journals(Journals),
    {Lost, Doubled} = counted(Fold, Known),
    try judge(Fold, Known) of
        {Messages, Acked, Lives} ->
            io:format("~b messages in the log, ~b of them acknowledged, ~b lost, ~b doubled, by producers in ~b epochs~n",
                [Messages, Acked, Lost, Doubled, Lives]),
            halt(0)
    catch
        throw:Wrong ->
            io:format("~b lost, ~b doubled; ~0tp~n", [Lost, Doubled, Wrong]),
            halt(1)
    end.

%% The number of acknowledged messages that are not there, and of those that are there once more.
-spec counted(fun((fun((map(), Acc) -> {ok, Acc}), Acc) -> Acc), #{life() => {non_neg_integer(), non_neg_integer()}}) ->
    {non_neg_integer(), non_neg_integer()}.
counted(Fold, Journals) ->
    {Ranges, Doubled} = Fold(fun range/2, {#{}, 0}),
    Missing = [max(0, Acked - lists:sum([max(0, min(To, Acked) - From + 1) || {From, To} <- maps:get(Life, Ranges, [])]))
        || {Life, {_, Acked}} <- maps:to_list(Journals)],
    {lists:sum(Missing), Doubled}.

%% A life's ranges do not overlap: what is there again is counted.
range(#{count := 0}, Acc) -> {ok, Acc};
range(#{producer := Producer, epoch := Epoch, first := First, count := Count}, {Ranges, Doubled}) ->
    Life = {Producer, Epoch},
    Before = maps:get(Life, Ranges, []),
    New = lists:foldl(fun without/2, [{First, First + Count - 1}], Before),
    Added = lists:sum([To - From + 1 || {From, To} <- New]),
    {ok, {Ranges#{Life => joined(New, Before)}, Doubled + Count - Added}}.

without({From, To}, Parts) ->
    [Part || {Begin, End} <- Parts, {B, E} = Part <- [{Begin, min(End, From - 1)}, {max(Begin, To + 1), End}], B =< E].

joined([{Next, End}], [{From, To} | Before]) when Next =:= To + 1 -> [{From, End} | Before];
joined(New, Before) -> New ++ Before.

%% Folds over the batches of a log.
-spec fold(file:filename(), fun((map(), Acc) -> {ok, Acc}), Acc) -> Acc.
fold(Place, Fun, Begin) ->
    of_sink(sink(Place, #{}), Fun, Begin).

of_sink({Module, Name}, Fun, Begin) ->
    case Module:fold(Name, 1, Fun, Begin) of
        {ok, End} -> End;
        {error, Reason, _} -> throw({cannot_read, Reason})
    end.

%% The running log in a folder, with options of its own, or in the JetStream of servers on some ports.
-spec sink(string(), map()) -> {module(), atom()}.
sink("jetstream:" ++ Ports, _) ->
    Servers = [{"127.0.0.1", list_to_integer(Port)} || Port <- string:lexemes(Ports, ",")],
    {ok, _} = aldis_sink_jetstream:start_link(#{name => torture_log, servers => Servers, stream => "TORTURE",
        replicas => length(Servers), sync_always => true}),
    {aldis_sink_jetstream, torture_log};
sink(Folder, Options) ->
    {ok, _} = aldis_log:start_link(Options#{name => torture_log, folder => Folder}),
    {aldis_log, torture_log}.

%% How many messages there are, how many of them were acknowledged, in how many lives; throws what is wrong.
-spec judge(fun((fun((map(), Acc) -> {ok, Acc}), Acc) -> Acc), #{life() => {non_neg_integer(), non_neg_integer()}}) ->
    {non_neg_integer(), non_neg_integer(), non_neg_integer()}.
judge(Fold, Journals) ->
    {Lasts, _, _} = Fold(fun batch/2, {#{}, #{}, torture_messages:pattern()}),
    compare(Lasts, Journals).

%% Lasts: the last sequence of each life. Newest: the epoch of each producer. A batch without messages announces an epoch.
batch(#{count := 0}, Acc) ->
    {ok, Acc};
batch(#{producer := Producer, epoch := Epoch, first := First, count := Count, entries := Entries}, {Lasts, Newest, Pattern}) ->
    Life = {Producer, Epoch},
    Epoch >= maps:get(Producer, Newest, 0) orelse throw({older_epoch_after_newer, Life, First}),
    First =:= maps:get(Life, Lasts, 0) + 1 orelse throw({not_in_order, Life, {expected, maps:get(Life, Lasts, 0) + 1}, {found, First}}),
    Last = aldis_scan:fold(fun(Message, Sequence) -> same(Message, Life, Pattern, Sequence) end, First, Entries, 0, Count) - 1,
    {ok, {Lasts#{Life => Last}, Newest#{Producer => Epoch}, Pattern}}.

same(Message, {Producer, Epoch} = Life, Pattern, Sequence) ->
    Message =:= torture_messages:message({Producer, Pattern}, Epoch, Sequence) orelse throw({not_what_was_sent, Life, Sequence}),
    Sequence + 1.

%% The number of messages that each life sent, at most, and the one that it saw acknowledged, by its own account.
-spec journals(string()) -> #{life() => {Sent :: non_neg_integer(), Acked :: non_neg_integer()}}.
journals(Folder) ->
    maps:from_list([journal(File) || File <- filelib:wildcard(filename:join(Folder, "*.journal"))]).

journal(File) ->
    [Name, Epoch, "journal"] = string:lexemes(filename:basename(File), "."),
    {ok, Text} = file:read_file(File),
    %% The last line may lack its end, when its writer was killed.
    Lines = lists:droplast(binary:split(Text, <<"\n">>, [global])),
    Life = {binary:decode_hex(list_to_binary(Name)), list_to_integer(Epoch)},
    {Life, lists:foldl(fun line/2, {0, 0}, Lines)}.

line(<<"sending ", Upto/binary>>, {Sent, Acked}) -> {max(Sent, binary_to_integer(Upto)), Acked};
line(<<"acked ", Upto/binary>>, {Sent, Acked}) -> {Sent, max(Acked, binary_to_integer(Upto))}.

compare(Lasts, Journals) ->
    [throw({unknown_producer, Life}) || Life <- maps:keys(Lasts), not is_map_key(Life, Journals)],
    maps:foreach(
        fun(Life, {Sent, Acked}) ->
            Last = maps:get(Life, Lasts, 0),
            Acked =< Last orelse throw({acknowledged_and_lost, Life, {acked, Acked}, {in_the_log, Last}}),
            Last =< Sent orelse throw({never_sent, Life, {sent, Sent}, {in_the_log, Last}})
        end,
        Journals
    ),
    {lists:sum(maps:values(Lasts)), lists:sum([Acked || {_, Acked} <- maps:values(Journals)]), maps:size(Journals)}.
