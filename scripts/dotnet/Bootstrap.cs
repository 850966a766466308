// Compiles the driver by Roslyn, which is called by reflection: the compiler of Mono, which compiles this program, cannot refer to it.
// Bootstrap ROSLYN_FOLDER FRAMEWORK_FOLDER SOURCE OUT
using System;
using System.Collections;
using System.IO;
using System.Linq;
using System.Reflection;

static class Bootstrap
{
    static int Main(string[] args)
    {
        string roslyn = Path.GetFullPath(args[0]), framework = Path.GetFullPath(args[1]);
        string[] own = { Path.Combine(roslyn, "Microsoft.CodeAnalysis.dll"), Path.Combine(roslyn, "Microsoft.CodeAnalysis.CSharp.dll") };
        Assembly common = Assembly.LoadFrom(own[0]), csharp = Assembly.LoadFrom(own[1]);
        const string space = "Microsoft.CodeAnalysis.";
        Type tree = common.GetType(space + "SyntaxTree"), reference = common.GetType(space + "MetadataReference");

        MethodInfo parse = csharp.GetType(space + "CSharp.CSharpSyntaxTree").GetMethods()
            .First(method => method.Name == "ParseText" && method.GetParameters().Length == 5 && method.GetParameters()[0].ParameterType == typeof(string));
        Array sources = Array.CreateInstance(tree, 1);
        sources.SetValue(parse.Invoke(null, Filled(parse, File.ReadAllText(args[2]), null, args[2])), 0);

        MethodInfo open = reference.GetMethod("CreateFromFile");
        string[] files = Directory.GetFiles(framework, "System*.dll").Concat(own).ToArray();
        Array references = Array.CreateInstance(reference, files.Length);
        for (int i = 0; i < files.Length; i++) references.SetValue(open.Invoke(null, Filled(open, files[i])), i);

        ConstructorInfo options = csharp.GetType(space + "CSharp.CSharpCompilationOptions").GetConstructors()
            .OrderBy(found => found.GetParameters().Length).First();
        object console = Enum.ToObject(options.GetParameters()[0].ParameterType, 0);
        MethodInfo create = csharp.GetType(space + "CSharp.CSharpCompilation").GetMethods()
            .First(method => method.Name == "Create" && method.GetParameters().Length == 4);
        object compilation = create.Invoke(null, new[] { "csc", sources, references, options.Invoke(Filled(options, console)) });

        MethodInfo emit = compilation.GetType().BaseType.GetMethods()
            .Where(method => method.Name == "Emit" && method.GetParameters()[0].ParameterType == typeof(Stream))
            .OrderByDescending(method => method.GetParameters().Length).First();
        var code = new MemoryStream();
        object made = emit.Invoke(compilation, Filled(emit, code));
        if (!(bool)made.GetType().GetProperty("Success").GetValue(made))
        {
            foreach (object said in (IEnumerable)made.GetType().GetProperty("Diagnostics").GetValue(made)) Console.Error.WriteLine(said);
            return 1;
        }
        File.WriteAllBytes(args[3], code.ToArray());
        return 0;
    }

    // Arguments of a method: the first ones as given, the others as they are when a caller leaves them out.
    static object[] Filled(MethodBase method, params object[] first)
    {
        return method.GetParameters().Select((parameter, i) =>
            i < first.Length ? first[i]
            : parameter.Name == "warningLevel" ? 4
            : parameter.HasDefaultValue && parameter.DefaultValue != null && parameter.DefaultValue != DBNull.Value ? parameter.DefaultValue
            : parameter.ParameterType.IsValueType ? Activator.CreateInstance(parameter.ParameterType) : null).ToArray();
    }
}
