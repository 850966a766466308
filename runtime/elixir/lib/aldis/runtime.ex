defmodule Aldis.Runtime do
  @moduledoc """
  The contract between generated modules and this package: those of one minor version belong together.
  """

  # A module of Elixir of its own, so that Mix compiles generated modules again when the version changes.
  @version "0.1.0"

  @doc "The version of this package."
  @spec version() :: String.t()
  def version, do: @version

  @doc "Raises `CompileError` where a module is compiled that was made for another version than this one."
  @spec needs!(String.t(), Macro.Env.t()) :: :ok
  def needs!(wanted, env) do
    own = @version |> String.split(".") |> Enum.take(2) |> Enum.join(".")

    if own != wanted do
      raise CompileError,
        file: env.file,
        line: env.line,
        description:
          "#{inspect(env.module)} needs the package aldis of version #{wanted}, and this is #{@version}: " <>
            "generate it again with aldis #{own}, or take aldis #{wanted}"
    end

    :ok
  end
end
