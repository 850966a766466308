%% @doc Events of the transport, for whoever attaches to them: the way of the `telemetry' library, without the library.
%%
%% Handlers run in the process that says what happened, so they are quick or send a message. One that fails is detached and
%% logged. Where nobody is attached an event costs a look into a persistent term. To hand events on to `telemetry':
%%
%% ```
%% aldis_telemetry:attach(bridge, Event, fun(E, Measured, Metadata, _) -> telemetry:execute(E, Measured, Metadata) end, [])
%% '''
-module(aldis_telemetry).

-export([execute/3, attached/1, attach/4, detach/1]).
-export_type([event/0, handler/0]).

-type event() :: [atom(), ...].
-type handler() :: fun((event(), Measurements :: map(), Metadata :: map(), Config :: term()) -> term()).

%% Event => [{Id, Handler, Config}], in the order of attaching.
-define(KEY, ?MODULE).

%% @doc Says that something happened: numbers in `Measurements', who and where in `Metadata'.
-spec execute(event(), map(), map()) -> ok.
execute(Event, Measurements, Metadata) ->
    case persistent_term:get(?KEY, #{}) of
        #{Event := Handlers} -> lists:foreach(fun(Handler) -> call(Handler, Event, Measurements, Metadata) end, Handlers);
        #{} -> ok
    end.

%% @doc Whether anybody hears of this event, so that what is dear to measure is measured for somebody.
-spec attached(event()) -> boolean().
attached(Event) -> is_map_key(Event, persistent_term:get(?KEY, #{})).

call({Id, Handler, Config}, Event, Measurements, Metadata) ->
    try
        _ = Handler(Event, Measurements, Metadata, Config),
        ok
    catch
        Class:Reason:Stack ->
            _ = detach(Id),
            logger:error("telemetry handler ~0tp failed at ~0tp and was detached: ~0tp:~0tp ~0tp",
                [Id, Event, Class, Reason, Stack])
    end.

%% @doc Calls `Handler' at every `Event' until {@link detach/1} of the same `Id'.
-spec attach(Id :: term(), event(), handler(), Config :: term()) -> ok | {error, already_exists}.
attach(Id, Event, Handler, Config) when is_list(Event), is_function(Handler, 4) ->
    changed(fun(All) ->
        case lists:any(fun(Handlers) -> lists:keymember(Id, 1, Handlers) end, maps:values(All)) of
            true -> {error, already_exists};
            false -> {ok, maps:update_with(Event, fun(Old) -> Old ++ [{Id, Handler, Config}] end,
                [{Id, Handler, Config}], All)}
        end
    end).

%% @doc Ends what {@link attach/4} began.
-spec detach(Id :: term()) -> ok | {error, not_found}.
detach(Id) ->
    changed(fun(All) ->
        Rest = maps:filtermap(fun(_, Handlers) ->
            case lists:keydelete(Id, 1, Handlers) of
                [] -> false;
                Left -> {true, Left}
            end
        end, All),
        case Rest of
            All -> {error, not_found};
            _ -> {ok, Rest}
        end
    end).

%% One change at a time, without a process of our own. Rare: every change of a persistent term makes all processes look
%% whether they hold the old one.
changed(Change) ->
    global:trans({?KEY, self()}, fun() ->
        case Change(persistent_term:get(?KEY, #{})) of
            {ok, New} -> persistent_term:put(?KEY, New);
            {error, _} = Error -> Error
        end
    end, [node()]).
