import * as fc from "fast-check";
import type { FIELDS } from "../../../core/manifest/fields.ts";
import { anyText } from "../text/any-text.ts";
import { SHA256 } from "./sample-manifest.ts";

/**
 * `wild`: any value anywhere. `taken`: only the fields that a relay requires are valid.
 * `strict`: each value is valid on its own; a one-shot may still have loop-only fields.
 */
export type Level = "wild" | "taken" | "strict";

type Any = fc.Arbitrary<unknown>;

const anyValue = fc.jsonValue({ maxDepth: 2 });
const anyNumber = fc.oneof(fc.double(), fc.integer({ min: -100, max: 5000 }));
const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const textOf = (characters: string) =>
  fc.string({ unit: fc.constantFrom(...Array.from(characters)), maxLength: 40 });
const goodName = textOf("aZ9 é가-_.(&#!");
const goodLine = textOf("aZ9 /é가𝄞");
const goodBytes = fc.integer({ min: 1, max: 6_000_000 });
const goodId = fc.constantFrom("1", "2", "2-2", "kick", "__proto__", "x".repeat(100));

/** A property that may be missing; above `strict` it may be `odd`, or of any type. */
function field(level: Level, good: Any, odd: Any = anyText): Any {
  const bad = { weight: 2, arbitrary: fc.oneof(odd, anyValue) };
  const value = level === "strict" ? good : fc.oneof({ weight: 5, arbitrary: good }, bad);
  return fc.option(value, { nil: undefined });
}

function anySound(level: Level): Any {
  const isWild = level === "wild";
  const sound = fc.record({
    file: isWild
      ? field(level, fc.constantFrom("a.wav", "b.wav", "c.WAV"), fc.constant("../a.wav"))
      : fc.uuid().map((name) => `${name}.wav`),
    bytes: isWild ? field(level, goodBytes, anyNumber) : goodBytes,
    sha256: isWild
      ? field(level, fc.constant(SHA256))
      : fc.constantFrom(SHA256, SHA256.toUpperCase()),
    id: field(level, goodId),
    name: field(level, goodName),
    kind: field(level, fc.constantFrom("loop", "oneshot"), fc.constant("Loop")),
    role: field(level, fc.constantFrom("drums", "fx"), fc.constant("keys")),
    bpm: field(level, between(20, 999), anyNumber),
    length_beats: field(level, between(Number.MIN_VALUE, 4096), anyNumber),
    warp_mode: field(level, fc.constantFrom("beats", "complex_pro", 6), fc.constant(5)),
    color: field(level, fc.constantFrom("#ff8800", "00FF00"), fc.constant("red")),
    gain_db: field(level, between(-70, 24), anyNumber),
  } satisfies Record<keyof typeof FIELDS.sound, Any>);
  return isWild
    ? fc.oneof({ weight: 5, arbitrary: sound }, { weight: 1, arbitrary: anyValue })
    : sound;
}

/** Values that look like a manifest, as JSON can have them. */
export function anyManifest(level: Level): Any {
  const isWild = level === "wild";
  const sounds = fc.array(anySound(level), { minLength: isWild ? 0 : 1, maxLength: 6 });
  const source = fc.record({
    app: field(level, goodName),
    app_version: field(level, goodLine),
    platform: field(level, goodLine),
  } satisfies Record<keyof typeof FIELDS.source, Any>);
  const tempo = fc.record({
    bpm: field(level, between(20, 999), anyNumber),
    time_signature: field(level, fc.constantFrom([4, 4], [7, 8]), fc.array(anyNumber)),
  } satisfies Record<keyof typeof FIELDS.tempo, Any>);
  const manifest = fc.record({
    schema: isWild
      ? fc.oneof(
          { weight: 9, arbitrary: fc.constant("app2host/1") },
          { weight: 1, arbitrary: anyText },
        )
      : fc.constant("app2host/1"),
    package_id: field(level, fc.constant("pkg_1")),
    created_at: field(level, fc.constant("2026-01-31T12:00:00Z")),
    title: field(level, goodLine),
    source: field(level, source),
    tempo: field(level, tempo),
    items: isWild ? field(level, sounds, anyValue) : sounds,
    midi: field(level, fc.constant([])),
  } satisfies Record<keyof typeof FIELDS.manifest, Any>);
  const extras = level === "strict" ? fc.constant({}) : fc.object({ maxDepth: 0, maxKeys: 3 });
  return fc
    .tuple(extras, manifest)
    .map((parts): unknown => JSON.parse(JSON.stringify(Object.assign({}, ...parts))));
}
