const MOST = (1n << 96n) - 1n;

/** `±coefficient / 10^scale`. The scale is kept: 1.10 is not 1.1, and zero may be negative. */
export class Decimal {
  constructor(negative, coefficient, scale) {
    if (coefficient < 0n || coefficient > MOST || !Number.isInteger(scale) || scale < 0 || scale > 28) {
      throw new RangeError("a decimal has a coefficient below 2^96 and a scale of 0 to 28");
    }
    this.negative = negative;
    this.coefficient = coefficient;
    this.scale = scale;
    Object.freeze(this);
  }

  /** The decimal that a text such as `-12.340` or `1.5e3` says exactly; `undefined` where it says none. */
  static parse(text) {
    const found = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
    if (found === null) return undefined;
    const fraction = found[3] ?? "";
    const digits = (found[2] + fraction).replace(/^0+(?=\d)/, "");
    let scale = fraction.length - Number(found[4] ?? 0);
    if (digits === "0") scale = Math.max(scale, 0);
    if (scale > 28 || digits.length - Math.min(scale, 0) > 29) return undefined;
    const coefficient = BigInt(digits) * 10n ** BigInt(Math.max(-scale, 0));
    return coefficient > MOST ? undefined : new Decimal(found[1] === "-", coefficient, Math.max(scale, 0));
  }

  toString() {
    const digits = this.coefficient.toString().padStart(this.scale + 1, "0");
    const whole = digits.slice(0, digits.length - this.scale);
    return `${this.negative ? "-" : ""}${whole}${this.scale > 0 ? `.${digits.slice(-this.scale)}` : ""}`;
  }

  toJSON() {
    return this.toString();
  }
}

const size = (a) => a.coefficient * 10n ** BigInt(28 - a.scale) * (a.negative ? -1n : 1n);

/** By value: 1.10 equals 1.1, and zero has no sign. */
export function orderDecimals(a, b) {
  const [x, y] = [size(a), size(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}
