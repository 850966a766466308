#nullable enable
using System;

namespace Aldis.Transport
{
    /// <summary>The codes of docs/protocol.md in the order of their numbers, and those that only this side knows.</summary>
    public enum TransportCode
    {
        Normal,
        Protocol,
        FrameTooLarge,
        Version,
        Unauthorized,
        TooManyConnections,
        Idle,
        Slow,
        Draining,
        Gap,
        BadChecksum,
        BadCount,
        Refused,
        Handler,
        Credit,
        StaleEpoch,
        Deadline,
        Unsupported,
        Unavailable,
        Superseded,

        /// <summary>A code that docs/protocol.md has not; the exception's Number says it.</summary>
        Other,

        /// <summary>The connection is lost, or there is none.</summary>
        Disconnected,

        /// <summary>This client was closed, or a callback of it failed.</summary>
        Closed,

        /// <summary>The caller's mistake.</summary>
        Misused,
    }

    public static class TransportCodeExtensions
    {
        private static readonly string[] Spelt =
        {
            "normal", "protocol", "frame-too-large", "version", "unauthorized", "too-many-connections", "idle", "slow", "draining", "gap",
            "bad-checksum", "bad-count", "refused", "handler", "credit", "stale-epoch", "deadline", "unsupported", "unavailable",
            "superseded", "other", "disconnected", "closed", "misused",
        };

        /// <summary>The name as docs/protocol.md spells it.</summary>
        public static string ToWire(this TransportCode code) => Spelt[(int)code];

        internal static TransportCode Of(uint number) =>
            number <= (uint)TransportCode.Superseded ? (TransportCode)number : TransportCode.Other;

        /// <summary>The number on the wire; a code that only this side knows is Normal there.</summary>
        internal static uint Number(this TransportCode code) => code <= TransportCode.Superseded ? (uint)code : 0;

        /// <summary>Whether connecting again cannot help: docs/protocol.md, "Endings".</summary>
        internal static bool IsFatal(this TransportCode code)
        {
            switch (code)
            {
                case TransportCode.Protocol:
                case TransportCode.FrameTooLarge:
                case TransportCode.Version:
                case TransportCode.Unauthorized:
                case TransportCode.StaleEpoch:
                case TransportCode.Unsupported:
                case TransportCode.Superseded:
                case TransportCode.Closed:
                case TransportCode.Misused:
                    return true;
                default:
                    return false;
            }
        }
    }

    /// <summary>The reason for which something failed: "frame-too-large: a message of 70 bytes; the server takes 64".</summary>
    public sealed class TransportException : Exception
    {
        /// <summary>A failure with words that say more. A callback that answers requests may throw one: the server is told both.</summary>
        public TransportException(TransportCode code, string text) : this(code, code.Number(), text, null)
        {
        }

        internal TransportException(TransportCode code, string text, Exception? cause) : this(code, code.Number(), text, cause)
        {
        }

        /// <summary>A failure that a frame tells.</summary>
        internal TransportException(uint number, string text) : this(TransportCodeExtensions.Of(number), number, text, null)
        {
        }

        private TransportException(TransportCode code, uint number, string text, Exception? cause) : base(text, cause)
        {
            Code = code;
            Number = number;
            Text = text;
        }

        public TransportCode Code { get; }

        /// <summary>The number of the code on the wire.</summary>
        public uint Number { get; }

        /// <summary>The words without the code.</summary>
        public string Text { get; }

        public override string Message
        {
            get
            {
                string name = Code == TransportCode.Other ? "code " + Number : Code.ToWire();
                return Text.Length == 0 ? name : name + ": " + Text;
            }
        }

        /// <summary>The same for another caller, whose stack it has.</summary>
        internal TransportException Again() => new TransportException(Code, Number, Text, this);
    }

    /// <summary>A connection is at its end: why, whether there is to be no other, and whether the server is to be told.</summary>
    internal sealed class End : Exception
    {
        internal End(TransportException why, bool fatal, bool tell) : base(why.Message, why)
        {
            Why = why;
            Fatal = fatal;
            Tell = tell;
        }

        internal TransportException Why { get; }

        internal bool Fatal { get; }

        internal bool Tell { get; }

        /// <summary>A new connection may do better.</summary>
        internal static End Broken(TransportException why) => new End(why, false, true);

        internal static End Broken(TransportCode code, string text) => Broken(new TransportException(code, text));

        internal static End ForGood(TransportCode code, string text) => new End(new TransportException(code, text), true, true);

        internal static End Lost(TransportException why) => new End(why, why.Code.IsFatal(), false);

        internal static End Lost(string text, Exception? cause = null) =>
            Lost(new TransportException(TransportCode.Disconnected, text, cause));
    }
}
