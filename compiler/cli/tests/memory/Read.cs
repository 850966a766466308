using System;
using System.IO;
using System.Linq;
using System.Reflection;
using Aldis;
using Aldis.Codec;

// Reads one message and prints its verdict.
static class Read
{
    delegate Structure FromBytes(ReadOnlySpan<byte> bytes, Limits? limits);

    delegate Structure FromJson(ReadOnlySpan<byte> json);

    static int Main(string[] args)
    {
        // A type that is called like a member of its own has an underscore.
        var names = new[] { args[1], args[1] + "_" };
        var type = Assembly.GetExecutingAssembly().GetTypes().First(one =>
            string.Equals(one.Namespace, args[0], StringComparison.OrdinalIgnoreCase) && names.Contains(one.Name));
        var json = args[2] == "json";
        var parameters = json ? new[] { typeof(ReadOnlySpan<byte>) } : new[] { typeof(ReadOnlySpan<byte>), typeof(Limits) };
        var method = type.GetMethod(json ? "FromJson" : args[2] == "final" ? "DecodeFinal" : "Decode", parameters)!;
        var bytes = File.ReadAllBytes(args[3]);
        var verdict = "ok";
        try
        {
            if (json) ((FromJson)Delegate.CreateDelegate(typeof(FromJson), method))(bytes);
            else ((FromBytes)Delegate.CreateDelegate(typeof(FromBytes), method))(bytes, null);
        }
        catch (CodecException fault)
        {
            verdict = fault.Code.ToWire();
        }
        Console.Write(verdict);
        return 0;
    }
}
