defmodule Aldis do
  @moduledoc """
  Codecs of binary message schemas, compiled into a module.

      defmodule MyApp.Market do
        use Aldis, schema: "priv/market.xml"
      end

      {:ok, bytes} = MyApp.Market.Quote.encode(%MyApp.Market.Quote{sequence: 1})

  makes the module of the schema's messages of `MyApp.Market`, and a module with a struct for each of its types below it:
  what `aldis gen --lang elixir --name MyApp.Market` writes. It is compiled again when the schema or a file that it imports
  changes.

  Options:

    * `:schema` - the path of the schema, from the project's folder on;
    * `:imports` - folders to look in for imported files;
    * `:options` - texts as `aldis gen --option` takes them: `["strict_text"]` for a decoder that refuses text which is not
      UTF-8;
    * `:warnings` - `false` to hear of the schema's mistakes alone;
    * `:aldis` - the command `aldis`; when not given, what the environment variable `ALDIS` says, or `aldis` in `PATH`.

  To keep the generated files where you can read them, use the compiler `Mix.Tasks.Compile.Aldis` instead.
  """

  alias Aldis.Generator

  defmacro __using__(options) do
    {options, _} = Code.eval_quoted(options, [], __CALLER__)

    options =
      Keyword.validate!(options, [:schema, :aldis, imports: [], options: [], warnings: true])

    schema = Keyword.get(options, :schema) || raise ArgumentError, "use Aldis needs schema: PATH"

    case Generator.generate(schema, Keyword.put(options, :name, inspect(__CALLER__.module))) do
      {:ok, %{files: [file], sources: sources, warnings: warnings}} ->
        if warnings != "", do: IO.warn(warnings, Macro.Env.stacktrace(__CALLER__))
        code = spliced(Code.string_to_quoted!(file.text, file: schema), __CALLER__.module)

        resources = for source <- sources, do: quote(do: @external_resource(unquote(source)))
        {:__block__, [], resources ++ code}

      {:error, said} ->
        raise CompileError, file: __CALLER__.file, line: __CALLER__.line, description: said
    end
  end

  # The body of the schema's own module goes where it is used; the modules below it are defined there by their full names.
  defp spliced({:__block__, _, modules}, own) do
    Enum.flat_map(modules, fn {:defmodule, meta, [{:__aliases__, at, names}, [do: body]]} ->
      if Module.concat(names) == own do
        {:__block__, _, body} = body
        Enum.map(body, &keep_moduledoc/1)
      else
        [{:defmodule, meta, [{:__aliases__, at, [:"Elixir" | names]}, [do: body]]}]
      end
    end)
  end

  # The user's own words on the module win.
  defp keep_moduledoc({:@, _, [{:moduledoc, _, [words]}]}) do
    quote do
      if Module.get_attribute(__MODULE__, :moduledoc) == nil, do: @moduledoc(unquote(words))
    end
  end

  defp keep_moduledoc(other), do: other
end
