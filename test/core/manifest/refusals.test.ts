import { describe, expect, test } from "vitest";
import {
  refusedBy,
  parsed,
  sentManifest,
  sentSound,
  sentSounds,
  SHA256,
} from "./sample-manifest.ts";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { REFUSALS } from "../../../core/protocol/refusals.ts";

const good = sentSound({}, "hat.wav");

/** The sentence about a second sound of this name. */
const named = (name: unknown) =>
  refusedBy(sentManifest({}, [good, sentSound({ name, bytes: 0 })])).message;
const code = (...items: readonly unknown[]) => refusedBy(sentManifest({}, items)).code;

describe("the manifest as a whole", () => {
  test("[M1] refuses anything but an object", () => {
    for (const value of [null, true, 5, "{}", [], [sentManifest()], undefined]) {
      expect(refusedBy(value).code, JSON.stringify(value)).toBe("MANIFEST_NOT_OBJECT");
    }
  });

  test("[M1] refuses a missing or non-string schema, and items that are missing, empty or over 32", () => {
    for (const schema of [undefined, null, 1, {}, ["app2host/1"]]) {
      expect(refusedBy(sentManifest({ schema })).code).toBe("SCHEMA_UNKNOWN");
    }
    for (const items of [undefined, null, [], {}, "kick.wav", 1]) {
      expect(refusedBy(sentManifest({ items })).code).toBe("ITEMS_MISSING");
    }
    const sounds = sentSounds(...Array.from({ length: 33 }, () => ({})));
    expect(parsed(sentManifest({}, sounds.slice(0, 32))).manifest.items).toHaveLength(32);
    expect(refusedBy(sentManifest({}, sounds)).message).toBe(
      "A package can have at most 32 sounds; this one has 33.",
    );
  });

  test("[M1] refuses a hundred thousand sounds by their number alone", () => {
    const items = Array.from({ length: 100_000 }, () => null);
    expect(refusedBy(sentManifest({ items })).code).toBe("ITEMS_TOO_MANY");
  });

  test("[M2] names a newer format, regardless of the rest of the manifest", () => {
    for (const rest of [{}, { items: null }, { items: [], tracks: 5 }]) {
      const refused = refusedBy({ ...rest, schema: "app2host/2" });
      expect(refused.code).toBe("SCHEMA_NEWER");
      expect(refused.message).toMatch(/app2host\/2 .* Update Soundferry/);
    }
    for (const version of ["10", "007", "2".repeat(500_000)]) {
      expect(refusedBy({ schema: `app2host/${version}` }).code).toBe("SCHEMA_NEWER");
    }
  });

  test("[M2] refuses any other schema with the expected format before it validates items", () => {
    for (const version of ["0", "-2", "2x", "", " 2", "1.5", "1 ", "01", "two"]) {
      expect(refusedBy({ schema: `app2host/${version}` }).message).toMatch(/app2host\/1\.$/);
    }
    for (const schema of ["", "APP2HOST/1", "app2host", "host/2", "xapp2host/2", "app2host/2\n"]) {
      expect(refusedBy({ schema, items: [] }).code).toBe("SCHEMA_UNKNOWN");
    }
  });
});

describe("a sound", () => {
  test("[M3] accepts file names that match the pattern", () => {
    const files = [
      "a.wav",
      "9.WAV",
      "Kick 01_final-mix.v2.WaV",
      `${"x".repeat(96)}.wav`,
      "con.wav",
    ];
    for (const file of files) expect(parsed(sentManifest({}, [sentSound({}, file)]))).toBeTruthy();
  });

  test("[M3] refuses file names that don't match the pattern", () => {
    const files = [
      "",
      ".wav",
      "a",
      "a.mp3",
      "a.wav ",
      " a.wav",
      "_a.wav",
      "-a.wav",
      "a..wav",
      "a/b.wav",
      "a\\b.wav",
      "ä.wav",
      "a\n.wav",
      "a.wav\n",
      "a\0.wav",
      "a:b.wav",
      "%2e.wav",
      `${"x".repeat(97)}.wav`,
      "../a.wav",
      "\u202ea.wav",
      null,
      5,
      {},
      ["a.wav"],
    ];
    for (const file of files) {
      const refused = refusedBy(sentManifest({}, [good, { ...good, file }]));
      expect(refused.code, JSON.stringify(file)).toBe("FILE_NAME_WRONG");
      expect(refused.message).toMatch(/^Sound 2: /);
    }
  });

  test("[M3] accepts bytes from 1 to 209715200 and refuses anything else", () => {
    for (const bytes of [1, 209_715_200, 1e3]) {
      expect(parsed(sentManifest({}, [sentSound({ bytes })])).manifest.items[0]?.bytes).toBe(bytes);
    }
    for (const bytes of [undefined, null, 0, -1, 1.5, 209_715_201, 1e308, Infinity, "1", [], {}]) {
      expect(refusedBy(sentManifest({}, [sentSound({ bytes })])).code).toBe("BYTES_WRONG");
    }
  });

  test("[M3] refuses a missing or invalid sha256, accepts either case and stores lower case", () => {
    const { manifest, warnings } = parsed(
      sentManifest({}, [sentSound({ sha256: SHA256.toUpperCase() })]),
    );
    expect([manifest.items[0]?.sha256, warnings]).toEqual([SHA256, []]);
    for (const sha256 of [
      undefined,
      null,
      "",
      SHA256.slice(1),
      `${SHA256}0`,
      `${SHA256}\n`,
      5,
      {},
    ]) {
      expect(refusedBy(sentManifest({}, [sentSound({ sha256 })])).code).toBe("SHA256_WRONG");
    }
  });

  test("[M3] refuses a duplicate file; names that differ in case are distinct", () => {
    const upper = sentSound({}, "HAT.wav");
    expect(parsed(sentManifest({}, [good, upper])).manifest.items).toHaveLength(2);
    expect(refusedBy(sentManifest({}, [good, upper, good])).message).toBe(
      "Sound 3: another sound already uses hat.wav.",
    );
  });

  test("[M3] accepts a total of 209715200 bytes and refuses the sound that exceeds it", () => {
    const sizes = [209_715_000, 100, 100];
    const sounds = sentSounds(...sizes.map((bytes) => ({ bytes })));
    expect(parsed(sentManifest({}, sounds)).manifest.items).toHaveLength(3);
    const over = sentSounds(...[...sizes, 1, 1].map((bytes) => ({ bytes })));
    expect(refusedBy(sentManifest({}, over)).message).toBe(
      "Sound 4: this sound takes the package over 200 MB.",
    );
  });

  test("[M3] is named by its position and its cleaned, shortened name", () => {
    expect(named("Kick")).toBe('Sound 2 "Kick": bytes must be 1 to 209715200.');
    expect(named(" Ki\u202e\nck\u0000 ")).toBe('Sound 2 "Ki ck": bytes must be 1 to 209715200.');
    expect(named("Sound 2")).toBe("Sound 2: bytes must be 1 to 209715200.");
    for (const name of ["", "🥁", null, 5, undefined]) {
      expect(named(name)).toBe("Sound 2: bytes must be 1 to 209715200.");
    }
    expect(named("𐐀".repeat(40))).toBe(
      `Sound 2 "${"𐐀".repeat(9)}…": bytes must be 1 to 209715200.`,
    );
  });

  test("[M3] is refused for the first problem in reading order: by sound, then by field", () => {
    const worse = { file: "x", bytes: 0, sha256: "" };
    expect(code(sentSound({ sha256: "" }), worse, null)).toBe("SHA256_WRONG");
    expect(code(worse)).toBe("FILE_NAME_WRONG");
    expect(code({ ...worse, file: "a.wav" })).toBe("BYTES_WRONG");
    expect(code(good, { ...good, bytes: 0 })).toBe("FILE_TWICE");
    expect(code(good, sentSound({ bytes: 209_715_200, sha256: "" }))).toBe("TOTAL_TOO_LARGE");
    expect(code(null, worse)).toBe("ITEM_NOT_OBJECT");
  });
});

const ROOT = join(import.meta.dirname, "../../..");
const FOLDER = join(ROOT, "fixtures/refused/manifest");

interface Case {
  readonly code: string;
  readonly error: string;
  readonly manifest?: unknown;
  /** A body that isn't JSON, instead of a manifest. */
  readonly body?: string;
}

const cases = readdirSync(FOLDER).map((name): [string, Case] => [
  name.replace(".json", ""),
  JSON.parse(readFileSync(join(FOLDER, name), "utf8")),
]);

/** The codes that the table of refusals lists as the manifest's; two of them are about a header. */
function manifestCodes(): string[] {
  const table = readFileSync(join(ROOT, "core/protocol/refusals.ts"), "utf8");
  const section = /\/\/ the manifest\n([^]*?)\n\n/.exec(table)?.[1] ?? "";
  const codes = [...section.matchAll(/^ {2}(\w+): row\(/gm)].map(([, code = ""]) => code);
  return codes.filter((code) => !code.startsWith("IDEMPOTENCY_KEY_"));
}

describe("fixtures/refused/manifest", () => {
  test("[M1][M2][M3] every refusal of a manifest has a case", () => {
    const tested = new Set(cases.map(([, { code }]) => code));
    expect([...tested].sort()).toEqual([...manifestCodes(), "NOT_JSON"].sort());
  });

  test.each(cases.filter(([, { body }]) => body === undefined))(
    "[M1][M2][M3] refuses %s with its exact code and sentence",
    (_, { code, error, manifest }) => {
      const refused = refusedBy(manifest);
      expect({ code: refused.code, error: refused.message }).toEqual({ code, error });
      expect(refused.status).toBe(422);
      expect(refused.message.length).toBeLessThanOrEqual(80);
    },
  );

  test.each(cases.filter(([, { body }]) => body !== undefined))(
    "[M1] refuses %s as invalid JSON with its sentence",
    (_, { code, error, body = "" }) => {
      expect(() => JSON.parse(body)).toThrow(SyntaxError);
      expect({ code, error }).toEqual({ code: "NOT_JSON", error: REFUSALS.NOT_JSON.sentence });
    },
  );
});
