%% Programs in C that do outside of the VM what native functions do in it, built with sanitizers.
-module(sanitized).

-export([buildable/0, build/2, answer/2, answer/3, steps/3]).

%% Whether c_src/build.sh has what it needs: then tests do not go without the libraries.
-spec buildable() -> boolean().
buildable() ->
    [Compiler | _] = string:lexemes(os:getenv("CC", "cc"), " "),
    os:getenv("ALDIS_NATIVE") =/= "0" andalso os:find_executable(Compiler) =/= false andalso
        lists:any(fun(Folder) -> filelib:is_regular(filename:join(Folder, "erl_nif.h")) end, header_folders()).

header_folders() ->
    Root = code:root_dir(),
    [filename:join([Root, "erts-" ++ erlang:system_info(version), "include"]), filename:join([Root, "usr", "include"])].

%% The program of a file in this folder, where the compiler has sanitizers.
-spec build(Name :: string(), Options :: string()) -> file:filename() | none.
build(Name, Options) ->
    Program = filename:absname(Name, string:trim(os:cmd("mktemp -d"))),
    Here = source(filename:dirname(proplists:get_value(source, ?MODULE:module_info(compile))), Name ++ ".c"),
    All = "-std=c11 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all " ++ Options,
    Headers = [["-I ", Folder, " "] || Folder <- header_folders()],
    Said = os:cmd(io_lib:format("cc ~s -I ~ts/../c_src ~ts -o ~ts ~ts/~ts.c", [All, Here, Headers, Program, Here, Name])),
    Built = filelib:is_regular(Program),
    %% A failure where an empty program can be built is a mistake of ours.
    Built orelse has_sanitizers(Program) andalso error({not_built, Name, Said}),
    case Built of
        true ->
            Program;
        false ->
            ok = file:del_dir_r(filename:dirname(Program)),
            none
    end.

has_sanitizers(Program) ->
    Command = "echo 'int main(void) { return 0; }' | cc -x c -fsanitize=address,undefined -o ~ts - && ~ts && echo built",
    string:find(os:cmd(io_lib:format(Command, [Program, Program])), "built") =/= nomatch.

%% rebar3 may compile a copy of this file.
source(Here, File) ->
    case filelib:is_dir(filename:join(Here, "../c_src")) andalso filelib:is_regular(filename:join(Here, File)) of
        true -> Here;
        false -> "test"
    end.

%% The program's answer to this input; after that it is gone.
-spec answer(file:filename(), iodata()) -> string().
answer(Program, Bytes) -> answer(Program, "", Bytes).

%% The same of a program with an argument.
-spec answer(file:filename(), file:filename(), iodata()) -> string().
answer(Program, Argument, Bytes) ->
    Folder = filename:dirname(Program),
    Input = filename:join(Folder, "input"),
    ok = file:write_file(Input, Bytes),
    Answer = os:cmd(io_lib:format("~ts ~ts < ~ts 2>&1", [Program, Argument, Input])),
    ok = file:del_dir_r(Folder),
    Answer.

%% Whether a program takes so many random steps, and has done something in them, as it says at its end.
-spec steps(Name :: string(), pos_integer(), fun((Program :: file:filename()) -> Argument :: string())) -> ok.
steps(Name, Steps, Argument) ->
    case build(Name, "") of
        none -> ok;
        Program ->
            Said = answer(Program, Argument(Program), rand:bytes(Steps)),
            case io_lib:fread("~d ~d", Said) of
                {ok, [Steps, Done], _} when Done > Steps div 20 -> ok;
                _ -> error({Name, Said})
            end
    end.
