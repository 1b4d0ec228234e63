import { expect, test } from "vitest";
import { CHECKS } from "../../../cli/conformance/all-checks.ts";
import { LIMIT_OF } from "../../../cli/conformance/checks/edge-rows.ts";
import { MANIFEST_EDGES, SOUND_EDGES } from "../../../cli/conformance/checks/edges.ts";
import { GROUPS } from "../../../cli/conformance/checks/manifest-packages.ts";
import type { Row } from "../../../cli/conformance/checks/manifest-repairs.ts";
import { LIMITS } from "../../../cli/conformance/limits.ts";

const ROWS = [...MANIFEST_EDGES.flat(), ...SOUND_EDGES];

const sizeOf = ({ sent }: Row) =>
  typeof sent === "string" ? Array.from(sent).length : Number(sent);

/** The checks of the numbers that are no field's: at the limit, and one past it. */
const OTHERS: Partial<Record<keyof typeof LIMITS, readonly [at: string, past: string]>> = {
  packageBytes: ["whole-200-mb", "manifest-bytes-many"],
  fileCharacters: ["manifest-file-100", "manifest-file-too-long"],
  sounds: ["sounds-32", "manifest-33-items"],
  callsPerMinute: ["limit-calls", "limit-calls"],
  packagesPerHour: ["limit-packages", "limit-packages"],
  triesPerMinute: ["limit-tries", "limit-tries"],
  uploadWindowSeconds: ["announce", "upload-window-ends"],
  waitSeconds: ["status", "wait-ends"],
  codeSeconds: ["code", "code-expires"],
  leaseSeconds: ["take", "lease-ends"],
  longPollSeconds: ["wait-full", "wait-full"],
  resultsBytes: ["results-size", "results-size"],
  sampleRateHz: ["wav-192-khz", "wav-384-khz"],
  bodyBytes: ["body-1-mib", "body-too-large"],
  errorUnits: ["error-80-units", "error-80-units"],
  keyCharacters: ["idempotency-key-200", "idempotency-key-long"],
  appIdCharacters: ["app-id-200", "app-id-201"],
  deviceNameCharacters: ["device-name-60", "device-name-cleaned"],
  uploadsPerApp: ["limit-uploads", "limit-uploads"],
  warnings: ["warnings-100", "at-most-100-warnings"],
  warningUnits: ["warning-200-units", "warning-200-units"],
};

test.each(GROUPS)("[Q2] the values of sounds fit into one package", ({ sounds }) => {
  expect(sounds.length).toBeLessThanOrEqual(LIMITS.sounds);
});

// The eleven tokens of one app have checks of their own.
const NAMES = (Object.keys(LIMITS) as (keyof typeof LIMITS)[]).filter(
  (name) => name !== "tokensPerPairing",
);

test.each(NAMES)("[Q2] tries %s at the limit and one past it", (limit) => {
  const fields = Object.keys(LIMIT_OF).filter(
    (field) => LIMIT_OF[field]?.limit === limit && field !== "file",
  );
  const number = LIMITS[limit];
  for (const field of fields) {
    const rows = ROWS.filter((row) => row.field === field);
    const good = rows.filter(({ code }) => code === undefined).map(sizeOf);
    const past = rows.filter(({ code }) => code !== undefined).map(sizeOf);
    const { least, most } = typeof number === "number" ? { least: 0, most: number } : number;
    expect(good).toContain(most);
    expect(past.some((size) => size > most && size <= most + 1)).toBe(true);
    if (typeof number === "number") continue;
    expect(good).toContain(least);
    expect(past.some((size) => size < least && size >= least - 1)).toBe(true);
  }
  const ids = new Set(CHECKS.map(({ id }) => id));
  const others = OTHERS[limit] ?? [];
  expect(others.filter((id) => !ids.has(id))).toEqual([]);
  expect(fields.length + others.length).toBeGreaterThan(0);
});
