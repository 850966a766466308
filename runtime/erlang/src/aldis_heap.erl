%% @doc Room on the heap for what large inputs become.
%%
%% A heap that fills up grows by a fifth at a time. Each step copies what is there, and the VM keeps the last ten segments
%% that it left, for all processes to reuse; since none of them fits the next step, a list that fills the heap costs many
%% times its size, in memory and in time. Readers who know what is coming say so before they read it, and the heap grows
%% once, when it is next full.
-module(aldis_heap).

-export([enter/1, leave/1, reserve/2]).
-export_type([before/0]).

%% Bytes of input below which the VM's own steps are small enough.
-define(LARGE, 16#4000).

%% Words: 16 MiB.
-define(SLACK, 16#200000).

-opaque before() :: non_neg_integer() | none.
%% The least heap size of the process as it was, in words.

%% @doc To be called before `Input' is read. The result is for {@link leave/1}.
-spec enter(term()) -> before().
enter(Input) when byte_size(Input) < ?LARGE -> none;
enter(Input) when is_binary(Input) ->
    {min_heap_size, Words} = process_info(self(), min_heap_size),
    _ = put(?MODULE, entered),
    Words;
enter(_) -> none.

%% @doc To be called whatever became of reading: the heap's least size is as it was.
-spec leave(before()) -> ok.
leave(none) -> ok;
leave(Words) ->
    _ = erase(?MODULE),
    _ = process_flag(min_heap_size, Words),
    ok.

%% @doc Something of `Bytes' bytes, or of so many elements, will be read that becomes `Words' words. Where `enter/1' saw a small
%% input nothing is done, though packed bytes become many and elements may have none: `leave/1' would not give it back, and
%% each message of a process would add to what the ones before asked for. A process with a `max_heap_size' is left alone:
%% the VM takes a least size above it, and then ends the process.
-spec reserve(integer(), non_neg_integer()) -> ok.
reserve(Bytes, _) when Bytes < ?LARGE -> ok;
reserve(_, Words) ->
    case get(?MODULE) of
        entered -> reserve(Words);
        undefined -> ok
    end.

reserve(Words) ->
    case process_info(self(), [max_heap_size, garbage_collection_info]) of
        [{max_heap_size, #{size := 0}}, {garbage_collection_info, Info}] ->
            %% For the running process this is the heap's whole room.
            {heap_size, Room} = lists:keyfind(heap_size, 1, Info),
            {stack_size, Stack} = lists:keyfind(stack_size, 1, Info),
            %% More of the kind may come: as much again, but a process that holds much already is not doubled.
            at_least(Room + min(Room, max(Words, ?SLACK)) + Stack + Words);
        _ ->
            ok
    end.

at_least(Words) ->
    case process_flag(min_heap_size, Words) of
        Before when Before > Words ->
            _ = process_flag(min_heap_size, Before),
            ok;
        _ -> ok
    end.
