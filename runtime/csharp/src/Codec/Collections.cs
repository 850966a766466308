#nullable enable
using System;
using System.Collections;
using System.Collections.Generic;
using System.Text;

namespace Aldis.Codec
{
    /// <summary>The shape of what has elements in a row.</summary>
    internal abstract class OfItems : Shape
    {
        private protected readonly Shape Element;

        private protected OfItems(Shape element) => Element = element;

        // Reads what lies between brackets; faults have the index before their path.
        internal static int Items(JsonParser from, char open, char close, string what, Action read)
        {
            from.Expect(open, what);
            int index = 0;
            try
            {
                for (; !from.Closes(close, index == 0); index++) read();
            }
            catch (CodecException fault) when (fault.Within(index))
            {
                throw;
            }
            return index;
        }

        internal override string? Empty => "[]";

        internal override void Write(StringBuilder text, object? value)
        {
            int index = 0;
            text.Append('[');
            try
            {
                foreach (object? item in (IEnumerable)value!)
                {
                    if (index > 0) text.Append(',');
                    Element.WriteElement(text, item);
                    index++;
                }
            }
            catch (CodecException fault) when (fault.Within(index))
            {
                throw;
            }
            text.Append(']');
        }

        internal static int CompareAll(Shape element, IEnumerable a, IEnumerable b)
        {
            IEnumerator first = a.GetEnumerator(), second = b.GetEnumerator();
            for (;;)
            {
                bool has = first.MoveNext(), had = second.MoveNext();
                if (!has || !had) return has.CompareTo(had);
                int found = element.CompareNullable(first.Current, second.Current);
                if (found != 0) return found;
            }
        }

        internal static bool SameAll(Shape element, IEnumerable a, IEnumerable b)
        {
            IEnumerator first = a.GetEnumerator(), second = b.GetEnumerator();
            for (;;)
            {
                bool has = first.MoveNext(), had = second.MoveNext();
                if (!has || !had) return has == had;
                if (!element.SameNullable(first.Current, second.Current)) return false;
            }
        }

        internal static int HashAll(Shape element, IEnumerable items)
        {
            int hash = 7;
            foreach (object? item in items) hash = unchecked(31 * hash + element.HashNullable(item));
            return hash;
        }

        internal override int Compare(object a, object b) => CompareAll(Element, (IEnumerable)a, (IEnumerable)b);

        internal override bool Same(object a, object b) => SameAll(Element, (IEnumerable)a, (IEnumerable)b);

        internal override int Hash(object value) => HashAll(Element, (IEnumerable)value);

        internal override void Show(StringBuilder text, object value)
        {
            text.Append('[');
            int shown = 0;
            foreach (object? item in (IEnumerable)value)
            {
                text.Append(shown == 0 ? "" : ", ");
                if (shown++ == 8)
                {
                    text.Append('…');
                    break;
                }
                Element.ShowNullable(text, item);
            }
            text.Append(']');
        }
    }

    internal sealed class OfList<T> : OfItems
    {
        private readonly int length;
        private readonly bool isArray;

        internal OfList(Shape element, int length, bool isArray)
            : base(element)
        {
            this.length = length;
            this.isArray = isArray;
        }

        internal override object? Read(JsonParser from)
        {
            int at = from.Place();
            var items = new List<T>();
            Items(from, '[', ']', "an array", () => items.Add((T)Element.Read(from)!));
            if (length >= 0 && items.Count != length) throw JsonParser.Bad(at, "expected " + length + " elements, found " + items.Count);
            return isArray ? (object)items.ToArray() : items;
        }

        internal override object Copy(object value)
        {
            if (value is T[] array) return array.Clone();
            var items = (List<T>)value;
            var copy = new List<T>(items.Count);
            foreach (T item in items) copy.Add((T)Element.CopyNullable(item)!);
            return copy;
        }
    }

    internal sealed class OfSet<T> : OfItems
    {
        internal OfSet(Shape element)
            : base(element)
        {
        }

        internal override object? Read(JsonParser from)
        {
            int at = from.Place();
            var set = new SortedSet<T>(Element.Order<T>());
            int count = Items(from, '[', ']', "an array", () => set.Add((T)Element.Read(from)!));
            if (count != set.Count) throw JsonParser.Bad(at, "an element of the set is given twice");
            return set;
        }

        internal override object Copy(object value)
        {
            var copy = new SortedSet<T>(Element.Order<T>());
            foreach (T item in (SortedSet<T>)value) copy.Add((T)Element.CopyNullable(item)!);
            return copy;
        }
    }

    internal sealed class OfMap<TKey, TValue> : Shape where TKey : notnull
    {
        private readonly Shape key;
        private readonly Shape value;
        private readonly bool named;

        internal OfMap(Shape key, Shape value, bool named)
        {
            this.key = key;
            this.value = value;
            this.named = named;
        }

        private static SortedDictionary<TKey, TValue> Map(object map) => (SortedDictionary<TKey, TValue>)map;

        internal override void Write(StringBuilder text, object? map)
        {
            int index = 0;
            text.Append(named ? '{' : '[');
            try
            {
                foreach (KeyValuePair<TKey, TValue> entry in Map(map!))
                {
                    text.Append(index == 0 ? "" : ",").Append(named ? "" : "[");
                    if (named) key.WriteKey(text, entry.Key);
                    else key.WriteElement(text, entry.Key);
                    text.Append(named ? ':' : ',');
                    value.WriteElement(text, entry.Value);
                    text.Append(named ? "" : "]");
                    index++;
                }
            }
            catch (CodecException fault) when (fault.Within(index))
            {
                throw;
            }
            text.Append(named ? '}' : ']');
        }

        internal override object? Read(JsonParser from)
        {
            int at = from.Place();
            var map = new SortedDictionary<TKey, TValue>(key.Order<TKey>());
            int count = named
                ? OfItems.Items(from, '{', '}', "an object", () =>
                {
                    int start = from.Place();
                    var own = (TKey)key.ReadKey(from.Text(), start)!;
                    from.Expect(':', "`:`");
                    map[own] = (TValue)value.Read(from)!;
                })
                : OfItems.Items(from, '[', ']', "an array of [key,value] pairs", () =>
                {
                    from.Expect('[', "a pair [key,value]");
                    var own = (TKey)key.Read(from)!;
                    from.Expect(',', "`,` and the value");
                    map[own] = (TValue)value.Read(from)!;
                    from.Expect(']', "`]`");
                });
            if (count != map.Count) throw JsonParser.Bad(at, "a key is given twice");
            return map;
        }

        internal override int Compare(object a, object b)
        {
            int keys = OfItems.CompareAll(key, Map(a).Keys, Map(b).Keys);
            return keys != 0 ? keys : OfItems.CompareAll(value, Map(a).Values, Map(b).Values);
        }

        internal override object Copy(object map)
        {
            var copy = new SortedDictionary<TKey, TValue>(key.Order<TKey>());
            foreach (KeyValuePair<TKey, TValue> entry in Map(map)) copy.Add((TKey)key.Copy(entry.Key), (TValue)value.CopyNullable(entry.Value)!);
            return copy;
        }

        internal override bool Same(object a, object b) =>
            OfItems.SameAll(key, Map(a).Keys, Map(b).Keys) && OfItems.SameAll(value, Map(a).Values, Map(b).Values);

        internal override int Hash(object map) =>
            unchecked(31 * OfItems.HashAll(key, Map(map).Keys) + OfItems.HashAll(value, Map(map).Values));

        internal override void Show(StringBuilder text, object map)
        {
            text.Append('{');
            int shown = 0;
            foreach (KeyValuePair<TKey, TValue> entry in Map(map))
            {
                text.Append(shown == 0 ? "" : ", ");
                if (shown++ == 8)
                {
                    text.Append('…');
                    break;
                }
                key.ShowNullable(text, entry.Key);
                text.Append(": ");
                value.ShowNullable(text, entry.Value);
            }
            text.Append('}');
        }
    }
}
