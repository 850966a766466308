defmodule Aldis.GeneratorTest do
  use ExUnit.Case

  alias Mix.Tasks.Compile.Aldis, as: Compiler

  # The modules are made while the tests run.
  @compile {:no_warn_undefined, [Used.Shop, Used.Shop.Item, Imported.Shop]}
  # Needs the command: see test_helper.exs.
  @moduletag :aldis
  @moduletag :tmp_dir

  @schema "package shop\n\nstruct Item\n{\n    string name;\n    int32 count = 3;\n}\n"

  defp write(folder, name, text) do
    path = Path.join(folder, name)
    File.write!(path, text)
    path
  end

  defp compile(name, options) do
    Code.compile_string(
      "defmodule #{name} do\n  use Aldis, #{inspect(options)}\nend\n",
      "shop.ex"
    )
  end

  describe "use Aldis" do
    test "makes the module that it stands in", %{tmp_dir: folder} do
      schema = write(folder, "shop.fbe", @schema)
      compiled = Keyword.keys(compile("Used.Shop", schema: schema))
      assert Used.Shop.Item in compiled
      item = struct!(Used.Shop.Item, name: "tea")
      assert item.count == 3
      assert {:ok, ^item, ""} = Used.Shop.Item.decode(Used.Shop.encode!(item))
      assert Used.Shop.__info__(:attributes)[:external_resource] == [schema]
    end

    test "is compiled again when an import changes", %{tmp_dir: folder} do
      imports = Path.join(folder, "common")
      File.mkdir_p!(imports)
      common = write(imports, "common.fbe", "package common\nenum Size { small; large; }\n")

      schema =
        write(
          folder,
          "shop.fbe",
          "package shop\nimport common\nstruct Item { common.Size size; }\n"
        )

      compile("Imported.Shop", schema: schema, imports: [imports])
      resources = Keyword.get_values(Imported.Shop.__info__(:attributes), :external_resource)
      assert Enum.sort(List.flatten(resources)) == Enum.sort([schema, common])
    end

    test "shows the schema's mistakes where it stands", %{tmp_dir: folder} do
      schema = write(folder, "shop.fbe", String.replace(@schema, "string", "strng"))
      error = assert_raise CompileError, fn -> compile("Wrong.Shop", schema: schema) end
      assert error.description =~ "there is no type `strng`"
      assert error.description =~ "did you mean `string`?"
      assert {Path.basename(error.file), error.line} == {"shop.ex", 2}
    end

    test "says how to get the command" do
      assert_raise CompileError, ~r/there is no command `nowhere`/, fn ->
        compile("Lost.Shop", schema: "shop.fbe", aldis: "nowhere")
      end
    end
  end

  describe "the Mix compiler" do
    # A project in `folder` with one schema.
    defp in_project(folder, fun) do
      app = :"shop_#{System.unique_integer([:positive])}"

      File.write!(Path.join(folder, "mix.exs"), """
      defmodule #{Macro.camelize(to_string(app))}.MixProject do
        use Mix.Project

        def project do
          [app: :#{app}, version: "1.0.0", aldis: [schemas: Path.wildcard("*.fbe")]]
        end
      end
      """)

      Mix.Project.in_project(app, folder, fn _ -> fun.() end)
    end

    setup do
      shell = Mix.shell()
      Mix.shell(Mix.Shell.Quiet)
      on_exit(fn -> Mix.shell(shell) end)
    end

    test "writes what is stale and nothing else", %{tmp_dir: folder} do
      write(folder, "shop.fbe", @schema)
      out = Path.join(folder, "lib/generated/shop.ex")

      in_project(folder, fn ->
        assert Compiler.run([]) == {:ok, []}
        assert File.read!(out) =~ "defmodule Shop.Item do"
        assert Compiler.run([]) == {:noop, []}
        write(folder, "shop.fbe", String.replace(@schema, "count", "amount"))
        assert Compiler.run([]) == {:ok, []}
        assert File.read!(out) =~ "amount"
        File.rm!(out)
        assert Compiler.run([]) == {:ok, []}
        assert File.exists?(out)
        assert [manifest] = Compiler.manifests()
        assert File.exists?(manifest)
        Compiler.clean()
        refute File.exists?(out) or File.exists?(manifest)
      end)
    end

    test "gives mistakes with their place", %{tmp_dir: folder} do
      schema = write(folder, "shop.fbe", String.replace(@schema, "string", "strng"))

      in_project(folder, fn ->
        assert {:error, [problem]} = Compiler.run([])
        assert {Path.basename(problem.file), problem.position} == {Path.basename(schema), {5, 5}}
        assert problem.message =~ "did you mean"
      end)
    end

    test "takes away what a schema left that is gone", %{tmp_dir: folder} do
      write(folder, "shop.fbe", @schema)
      out = Path.join(folder, "lib/generated/shop.ex")

      # The list of schemas is read from the project's file anew each time.
      in_project(folder, fn ->
        assert Compiler.run([]) == {:ok, []}
        assert File.exists?(out)
        manifest = Compiler.manifests() |> hd() |> File.read!()
        File.rm!(Path.join(folder, "shop.fbe"))
        send(self(), {:manifest, manifest})
      end)

      assert_received {:manifest, manifest}

      in_project(folder, fn ->
        path = hd(Compiler.manifests())
        File.mkdir_p!(Path.dirname(path))
        File.write!(path, manifest)
        assert Compiler.run([]) == {:noop, []}
        refute File.exists?(out)
      end)
    end
  end
end
