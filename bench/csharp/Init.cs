#if !NET5_0_OR_GREATER
namespace System.Runtime.CompilerServices
{
    /// <summary>The records of sbe-tool's DTOs ask for it, which .NET Core 3.1 does not have.</summary>
    internal static class IsExternalInit { }
}
#endif
