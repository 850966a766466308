%% @doc The requests that are open on a session, both ways. Pure but for the answers to askers on this node.
-module(aldis_requests).

-include("aldis_frame.hrl").

-export([new/1, asked/3, answered/4, ask/5, reply/2, deadline/1, expire/2, close/1, tell/2]).
-export_type([requests/0, asker/0]).

-type asker() :: reference().
%% An alias: answers go there as `{Alias, answer()}'.
-type time() :: integer() | infinity.
%% Monotonic milliseconds.

-record(requests, {
    max :: pos_integer(),
    %% The client's, that the handler has not answered yet, and until when it may.
    theirs = #{} :: #{aldis_frame:u64() => time()},
    %% Ours, by correlation.
    ours = #{} :: #{aldis_frame:u64() => {asker(), time()}},
    next = 1 :: pos_integer()
}).

-opaque requests() :: #requests{}.

%% @doc At most `Max' may be open each way.
-spec new(pos_integer()) -> requests().
new(Max) -> #requests{max = Max}.

%% @doc The client asks, and the handler answers later.
-spec asked(#request{}, integer(), requests()) -> {ok, requests()} | {error, aldis_frame:code()}.
asked(#request{correlation = Correlation, deadline = Deadline}, Now, Requests) ->
    #requests{max = Max, theirs = Theirs} = Kept = without_late(Now, Requests),
    case Theirs of
        #{Correlation := _} -> {error, protocol};
        _ when map_size(Theirs) >= Max -> {error, unavailable};
        _ -> {ok, Kept#requests{theirs = Theirs#{Correlation => until(Deadline, Now)}}}
    end.

%% Looked at only when there are too many.
without_late(Now, #requests{max = Max, theirs = Theirs} = Requests) when map_size(Theirs) >= Max ->
    Requests#requests{theirs = maps:filter(fun(_, Until) -> Until > Now end, Theirs)};
without_late(_, Requests) -> Requests.

until(0, _) -> infinity;
until(Deadline, Now) -> Now + Deadline.

%% @doc The handler's late answer; none when it was given already, or its time is over.
-spec answered(aldis_frame:u64(), {ok, iodata()} | {error, binary()}, integer(), requests()) ->
    {#reply{} | none, requests()}.
answered(Correlation, Answer, Now, #requests{theirs = Theirs} = Requests) ->
    case maps:take(Correlation, Theirs) of
        {Until, Left} when Until > Now -> {frame(Correlation, Answer), Requests#requests{theirs = Left}};
        {_, Left} -> {none, Requests#requests{theirs = Left}};
        error -> {none, Requests}
    end.

frame(Correlation, {ok, Bytes}) -> #reply{correlation = Correlation, bytes = Bytes};
frame(Correlation, {error, Text}) -> #reply{correlation = Correlation, code = refused, bytes = Text}.

%% @doc We ask; the answer goes to `Asker'. `Ms' is 0 for no deadline.
-spec ask(iodata(), non_neg_integer(), asker(), integer(), requests()) -> {#request{} | none, requests()}.
ask(_, _, Asker, _, #requests{max = Max, ours = Ours} = Requests) when map_size(Ours) >= Max ->
    tell(Asker, {error, {unavailable, <<"too many requests are open on this connection">>}}),
    {none, Requests};
ask(Bytes, Ms, Asker, Now, #requests{ours = Ours, next = Next} = Requests) ->
    {#request{correlation = Next, deadline = Ms, bytes = Bytes},
     Requests#requests{ours = Ours#{Next => {Asker, until(Ms, Now)}}, next = Next + 1}}.

%% @doc The client answers. Answers that came too late find nobody.
-spec reply(#reply{}, requests()) -> requests().
reply(#reply{correlation = Correlation, code = Code, bytes = Bytes}, #requests{ours = Ours} = Requests) ->
    case maps:take(Correlation, Ours) of
        {{Asker, _}, Left} ->
            tell(Asker, case Code of
                normal -> {ok, Bytes};
                _ -> {error, {Code, Bytes}}
            end),
            Requests#requests{ours = Left};
        error -> Requests
    end.

%% @doc When the first of our deadlines is over.
-spec deadline(requests()) -> time().
deadline(#requests{ours = Ours}) when map_size(Ours) =:= 0 -> infinity;
deadline(#requests{ours = Ours}) -> lists:min([Until || {_, Until} <- maps:values(Ours)]).

%% @doc Tells askers whose time is over.
-spec expire(integer(), requests()) -> requests().
expire(Now, #requests{ours = Ours} = Requests) ->
    {Late, Left} = lists:partition(fun({_, {_, Until}}) -> Until =< Now end, maps:to_list(Ours)),
    [tell(Asker, {error, {deadline, <<"the client did not answer in time">>}}) || {_, {Asker, _}} <- Late],
    Requests#requests{ours = maps:from_list(Left)}.

%% @doc Tells all askers that the connection is gone.
-spec close(requests()) -> ok.
close(#requests{ours = Ours}) ->
    lists:foreach(fun({Asker, _}) -> tell(Asker, {error, {closed, <<"the connection closed">>}}) end, maps:values(Ours)).

%% @doc Gives an asker its answer.
-spec tell(asker(), {ok, binary()} | {error, too_large | {aldis_frame:code32(), binary()}}) -> ok.
tell(Asker, Answer) ->
    Asker ! {Asker, Answer},
    ok.
