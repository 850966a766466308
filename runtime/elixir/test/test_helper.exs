# Tests that run the command `aldis` need it: `make test` says where it is.
command = System.find_executable(System.get_env("ALDIS") || "aldis")
ExUnit.start(exclude: if(command, do: [], else: [:aldis]))
