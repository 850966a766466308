%% @doc Names of the processes of listeners, for `{via, aldis_names, {Listener, Role}}': no atom is made for a listener.
-module(aldis_names).

-export([new/0, register_name/2, unregister_name/1, whereis_name/1, send/2, listeners/0, consumers/1]).

-type name() :: {Listener :: atom(), Role :: atom() | {consumer, Name :: binary()}}.

%% @doc The table, which belongs to the caller.
-spec new() -> ok.
new() ->
    ?MODULE = ets:new(?MODULE, [named_table, public, {read_concurrency, true}]),
    ok.

%% @doc As global:register_name/2.
-spec register_name(name(), pid()) -> yes | no.
register_name(Name, Pid) ->
    case ets:insert_new(?MODULE, {Name, Pid}) of
        true -> yes;
        false ->
            case ets:lookup(?MODULE, Name) of
                [{_, Known} = Entry] ->
                    case is_process_alive(Known) of
                        true -> no;
                        false ->
                            %% The entry of a process that ended without a word; another one may have the name by now.
                            ets:delete_object(?MODULE, Entry),
                            register_name(Name, Pid)
                    end;
                [] -> register_name(Name, Pid)
            end
    end.

%% @doc As global:unregister_name/1.
-spec unregister_name(name()) -> ok.
unregister_name(Name) ->
    ets:delete(?MODULE, Name),
    ok.

%% @doc As global:whereis_name/1. Processes that have ended have no name.
-spec whereis_name(name()) -> pid() | undefined.
whereis_name(Name) ->
    try ets:lookup(?MODULE, Name) of
        [{_, Pid}] ->
            case is_process_alive(Pid) of
                true -> Pid;
                false -> undefined
            end;
        [] -> undefined
    catch
        %% The application is not started.
        error:badarg -> undefined
    end.

%% @doc As global:send/2.
-spec send(name(), term()) -> pid().
send(Name, Message) ->
    case whereis_name(Name) of
        undefined -> exit({badarg, {Name, Message}});
        Pid ->
            Pid ! Message,
            Pid
    end.

%% @doc The listeners that run.
-spec listeners() -> [atom()].
listeners() ->
    case ets:whereis(?MODULE) of
        undefined -> [];
        _ -> [Name || [Name] <- ets:match(?MODULE, {{'$1', listener}, '_'}), whereis_name({Name, listener}) =/= undefined]
    end.

%% @doc The consumers of a listener that run, by name.
-spec consumers(atom()) -> [{binary(), pid()}].
consumers(Listener) ->
    case ets:whereis(?MODULE) of
        undefined -> [];
        _ -> lists:sort([{Name, Pid} || [Name, Pid] <- ets:match(?MODULE, {{Listener, {consumer, '$1'}}, '$2'}), is_process_alive(Pid)])
    end.
