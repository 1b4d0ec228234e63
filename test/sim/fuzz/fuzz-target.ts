import * as fc from "fast-check";

/** A reader of what comes from outside, with inputs to try it on. */
export interface FuzzTarget {
  readonly name: string;
  readonly property: fc.IAsyncProperty<[unknown]>;
  /**
   * Makes the worst known input of a size, in units of its own, and gives what reads it: eight times as much may take
   * about eight times as long.
   */
  readonly makeLong?: ((size: number) => () => unknown) | undefined;
}

/**
 * @param check throws if what comes of the input is not as documented
 * @param long the worst known input of a size
 */
export function fuzzTarget<Input>(
  name: string,
  inputs: fc.Arbitrary<Input>,
  check: (input: Input) => unknown,
  long?: (size: number) => Input,
): FuzzTarget {
  const property: FuzzTarget["property"] = fc.asyncProperty<[unknown]>(inputs, async (input) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `inputs` made it
    await check(input as Input);
  });
  if (long === undefined) return { name, property };
  const makeLong = (size: number) => {
    const input = long(size);
    return () => check(input);
  };
  return { name, property, makeLong };
}

const anyBytes = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));

/** Objects that can't become a text or a number, names that every object has, and deep nesting. */
const HOSTILE_JSON = [
  '{"toString":1,"valueOf":1}',
  '{"__proto__":{"a":1},"constructor":1}',
  "1e999",
  "-1",
  "4294967294",
  '"\\ud800"',
  "[".repeat(5000) + "]".repeat(5000),
];

/**
 * Bytes of a file that was once whole: parts of it cut, repeated or replaced, values exchanged for hostile ones, zeros
 * at the end as after a power cut; or any bytes.
 */
export function damaged(whole: fc.Arbitrary<string>): fc.Arbitrary<Buffer> {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const value = fc.oneof(fc.constantFrom(...HOSTILE_JSON), fc.json({ maxDepth: 2 }));
  const change = fc.oneof(
    fc.record({ does: fc.constant("cut" as const), at: place, to: place }),
    fc.record({ does: fc.constant("insert" as const), at: place, bytes: anyBytes }),
    fc.record({ does: fc.constant("zeros" as const), count: fc.nat(5000) }),
    { weight: 4, arbitrary: fc.record({ does: fc.constant("value" as const), at: place, value }) },
  );
  const changed = fc
    .tuple(whole, fc.array(change, { maxLength: 4 }))
    .map(([text, changes]) => changes.reduce<Buffer>(apply, Buffer.from(text)));
  return fc.oneof({ weight: 8, arbitrary: changed }, { weight: 1, arbitrary: anyBytes });
}

type Change =
  | { readonly does: "cut"; readonly at: number; readonly to: number }
  | { readonly does: "insert"; readonly at: number; readonly bytes: Buffer }
  | { readonly does: "zeros"; readonly count: number }
  | { readonly does: "value"; readonly at: number; readonly value: string };

function apply(bytes: Buffer, change: Change): Buffer {
  if (change.does === "zeros") return Buffer.concat([bytes, Buffer.alloc(change.count)]);
  const at = Math.floor(change.at * bytes.length);
  if (change.does === "insert") {
    return Buffer.concat([bytes.subarray(0, at), change.bytes, bytes.subarray(at)]);
  }
  if (change.does === "cut") {
    const to = Math.floor(change.to * bytes.length);
    return Buffer.concat([bytes.subarray(0, Math.min(at, to)), bytes.subarray(Math.max(at, to))]);
  }
  const text = bytes.toString("utf8");
  const values = [...text.matchAll(/(?<=[:[,])("[^"]*"|[\d.-]+|true|false|null|\[\]|\{\})/g)];
  const old = values[Math.floor(change.at * values.length)];
  if (old === undefined) return bytes;
  const rest = text.slice(old.index + old[0].length);
  return Buffer.from(text.slice(0, old.index) + change.value + rest);
}
