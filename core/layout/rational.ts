/**
 * An exact non-negative fraction, not necessarily in lowest terms. Decides beats and tempi, since
 * floating point can't represent numbers such as 3.9 (rule T2).
 */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/**
 * Converts the shortest decimal that prints `n`, so 0.1 is exactly one tenth.
 * @throws {RangeError} if `n` is negative or not finite
 */
export function rationalOf(n: number): Rational {
  const parts = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(n));
  if (parts === null) throw new RangeError(`${n} is not a finite number of 0 or above.`);
  const [, whole = "", decimals = "", exponent = "0"] = parts;
  const power = Number(exponent) - decimals.length;
  const digits = BigInt(whole + decimals);
  return power < 0
    ? { numerator: digits, denominator: 10n ** BigInt(-power) }
    : { numerator: digits * 10n ** BigInt(power), denominator: 1n };
}

/** Returns the quotient of two whole numbers, such as frames by frames per second. */
export function ratio(dividend: number, divisor: number): Rational {
  return divide(rationalOf(dividend), rationalOf(divisor));
}

export function multiply(a: Rational, b: Rational): Rational {
  return { numerator: a.numerator * b.numerator, denominator: a.denominator * b.denominator };
}

/** @throws {RangeError} if the divisor is 0 */
export function divide(dividend: Rational, divisor: Rational): Rational {
  if (divisor.numerator === 0n) throw new RangeError("Nothing can be divided by 0.");
  return multiply(dividend, { numerator: divisor.denominator, denominator: divisor.numerator });
}

/** Returns the absolute difference. */
export function distance(a: Rational, b: Rational): Rational {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return {
    numerator: difference < 0n ? -difference : difference,
    denominator: a.denominator * b.denominator,
  };
}

/** Returns -1 if `a` is smaller, 1 if it is larger, 0 if both are equal. */
export function compare(a: Rational, b: Rational): -1 | 0 | 1 {
  const left = a.numerator * b.denominator;
  const right = b.numerator * a.denominator;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Rounds to the nearest whole number, half up. */
export function nearestWhole({ numerator, denominator }: Rational): Rational {
  return { numerator: (2n * numerator + denominator) / (2n * denominator), denominator: 1n };
}

/**
 * Converts to the nearest floating-point number, ties to even. Correctly rounded from 1e-280 up; smaller fractions
 * may become 0.
 */
export function toNumber({ numerator, denominator }: Rational): number {
  const shift = Math.max(0, 64 + hexDigits(denominator) * 4 - hexDigits(numerator) * 4);
  const shifted = numerator << BigInt(shift);
  // A sticky last bit for the remainder distinguishes a tie from a near tie.
  const remainder = shifted % denominator === 0n ? 0n : 1n;
  return Number((shifted / denominator) | remainder) / 2 ** shift;
}

function hexDigits(n: bigint): number {
  return n.toString(16).length;
}
