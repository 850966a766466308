#nullable enable
using System;
using System.ComponentModel;

namespace Aldis.Codec
{
    /// <summary>What reads bytes, into an object where there is one.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public delegate void Attempt<T>(ReadOnlySpan<byte> bytes, T into, Limits? limits);

    /// <summary>Reading that says what is wrong, and throws nothing.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public static class Tried
    {
        /// <summary>Whether it could be read, or else why not.</summary>
        public static bool Read<T>(ReadOnlySpan<byte> bytes, T into, Limits? limits, Attempt<T> attempt, out CodecException? fault)
        {
            try
            {
                attempt(bytes, into, limits);
                fault = null;
                return true;
            }
            catch (CodecException wrong)
            {
                fault = wrong;
                return false;
            }
        }
    }
}
