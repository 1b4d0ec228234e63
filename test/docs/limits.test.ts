import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as limits from "../../core/limits.ts";
import { UNFILLED_PER_APP } from "../../core/quotas/budgets.ts";
import {
  leftFor,
  sharesOfBytes,
  sharesOfWaiting,
  waitingLeft,
} from "../../core/quotas/room-shares.ts";
import {
  formatLimitSpan,
  JSON_SIZE,
  PACKAGE_SIZE,
  RESULTS_SIZE,
} from "../../core/text/format-limit.ts";
import { findLimitWords } from "../core/limits/limits-said.ts";
import { OTHERS } from "./other-numbers.ts";
import { readPages } from "./read-pages.ts";

const ROOT = join(import.meta.dirname, "../..");
const {
  MAX_APP_ID_LENGTH,
  MAX_BPM,
  MAX_CLIENT_LENGTH,
  MAX_ERROR_UNITS,
  MAX_HOLD_SECONDS,
  MAX_ID_LENGTH,
  MAX_IDEMPOTENCY_KEY_LENGTH,
  MAX_NAME_LENGTH,
  MAX_PACKAGE_BYTES,
  MAX_PACKAGES_AT_ONCE,
  MAX_SAMPLE_RATE_HZ,
  MAX_SOUNDS,
  MAX_TITLE_LENGTH,
  MAX_WAIT_SECONDS,
  MAX_WARNINGS,
  MAX_WARNING_UNITS,
  MIN_BPM,
  RELAY_DEFAULTS: relay,
} = limits;
const KHZ = `${MAX_SAMPLE_RATE_HZ / 1000} kHz`;
const CODE_LIFE = formatLimitSpan(relay.pairingCodeTtlSeconds);
const UPLOAD_WINDOW = formatLimitSpan(relay.uploadWindowSeconds);
const ROOM_HOLD = formatLimitSpan(relay.roomHoldSeconds);
const UNFILLED = `${UNFILLED_PER_APP / 1024 ** 2} MB`;
const mib = (bytes: number) => `${bytes / 1024 ** 2} MiB`;
const BYTES = sharesOfBytes(relay.bytesPerDevice);
const [OWN, PLACE] = [mib(leftFor(BYTES, 0, [])), mib(BYTES.place)];
const WAITING = relay.waitingPackagesPerDevice;
const OWN_WAITING = waitingLeft(WAITING, { waitingPackages: 0, others: [] });
const WAIT_WINDOW = formatLimitSpan(relay.waitWindowSeconds);
const STATUS_WINDOW = formatLimitSpan(relay.statusWindowSeconds);
const QUARANTINE = formatLimitSpan(relay.quarantineSeconds);
const CLOCK_PROOF = formatLimitSpan(relay.clockProofSeconds);

/** The words that name a limit, by page. Change them when a limit changes. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  "docs/operate/privacy.md": [
    "90 days after it was last seen, or 7 days",
    `as SHA-256 | ${CODE_LIFE},`,
    `${STATUS_WINDOW} after its files are deleted`,
    `the answer to repeat | ${UPLOAD_WINDOW}`,
    "announced a package | 24 hours, or",
    "and how much | 24 hours",
    `(${WAIT_WINDOW} after it was sent; ${UPLOAD_WINDOW} if it was never finished)`,
    `that no record knows, for ${QUARANTINE}`,
  ],
  "docs/rules/operators.md": [
    `\`Retry-After: ${limits.RETRY_SWITCHED_OFF_SECONDS}\``,
    `at most ${MAX_ERROR_UNITS} UTF-16 units`,
    `can register ${relay.registrationsPerAddressPerDay} computers a day`,
    `all together ${relay.registrationsPerDay.toLocaleString("en")}`,
  ],
  "ARCHITECTURE.md": [`after ${limits.PING_SECONDS} seconds at the latest`],
  "README.md": [`expires in ${CODE_LIFE}`],
  ".github/SECURITY.md": [`for ${CODE_LIFE}`, `try ${relay.pairingTriesPerMinute} a minute`],
  // App developers read these docstrings in their editor.
  "client/layout.ts": [`@param bpm ${MIN_BPM} to ${MAX_BPM}`, `or more than ${MAX_SOUNDS}`],
  "client/send/package-draft.ts": [
    `Names the scene; at most ${MAX_TITLE_LENGTH} characters`,
    `one of its own; ${MIN_BPM} to ${MAX_BPM}`,
    `1 to ${MAX_SOUNDS}, together at most ${PACKAGE_SIZE}`,
    `clip name, at most ${MAX_NAME_LENGTH} characters`,
    `from the package's; ${MIN_BPM} to ${MAX_BPM}`,
    `above 0, up to ${limits.MAX_LENGTH_BEATS}`,
    `${limits.MIN_GAIN_DB} to +${limits.MAX_GAIN_DB}`,
  ],
  "client/soundferry-client.ts": [
    `at most ${MAX_NAME_LENGTH} characters`,
    `1 to ${MAX_APP_ID_LENGTH} characters`,
    `at most ${MAX_WAIT_SECONDS}`,
  ],
  "docs/use/api.md": [
    `"package_bytes_max": ${limits.MAX_PACKAGE_BYTES} }`,
    `"expires_in": ${relay.uploadWindowSeconds} }`,
    `"expires_in": ${relay.waitWindowSeconds},`,
    `for at most ${MAX_WAIT_SECONDS} s`,
    `?wait=${MAX_WAIT_SECONDS}&`,
  ],
  "docs/use/client.md": [`expires after ${UPLOAD_WINDOW}`, `larger than ${PACKAGE_SIZE} together`],
  // The control surface's own: a line is as long as a request of 32 sounds needs, and more.
  "docs/use/live.md": ["has at most 1 MiB, and its login 64 KiB"],
  "docs/use/command-line.md": [
    `expires in ${CODE_LIFE}`,
    `An upload of ${PACKAGE_SIZE}, as large as they can be`,
    `can't hold (${MAX_SOUNDS} sounds, ${PACKAGE_SIZE})`,
    `one package holds ${MAX_SOUNDS} sounds and`,
  ],
  "docs/use/conformance.md": [
    `${OWN_WAITING} to ${WAITING} waiting packages, ${UNFILLED} reserved by one app`,
    `They announce ${UNFILLED}`,
    `fewer than ${relay.packagesPerHour} packages`,
    `Packages of ${PACKAGE_SIZE}`,
  ],
  "docs/use/errors.md": [`at most ${MAX_ERROR_UNITS} characters`],
  "docs/build/glossary.md": [
    `up to ${MAX_SOUNDS} sounds`,
    `expires after ${CODE_LIFE}`,
    `${formatLimitSpan(relay.leaseSeconds)} after the last heartbeat`,
  ],
  "docs/start/install.md": [`expires after ${CODE_LIFE}`],
  "docs/use/library.md": [`at most ${MAX_ERROR_UNITS} characters`],
  "docs/use/manifest.md": [
    `has at most ${JSON_SIZE}`,
    `at most ${MAX_WARNING_UNITS} characters`,
    `at most ${MAX_WARNINGS} warnings`,
  ],
  "docs/build/release.md": [`- [ ] ${PACKAGE_SIZE}: the progress`],
  "docs/rules/client.md": [`exceed ${PACKAGE_SIZE} together`],
  "docs/operate/operating.md": [
    `gets ${OWN} of ${gib(relay.bytesPerDevice)}, and leaves ${PLACE} to`,
    `sounds ${UPLOAD_WINDOW} after the announcement`,
    `or ${WAIT_WINDOW} after the commit`,
    `${STATUS_WINDOW} later`,
    `announced bytes for ${ROOM_HOLD}`,
    `database doesn't know, for ${QUARANTINE}`,
    `deleted after ${QUARANTINE}`,
    `quarantine for ${QUARANTINE}`,
    `the ${CLOCK_PROOF} in which`,
    `run evenly for ${CLOCK_PROOF}`,
  ],
  "docs/rules/http.md": [
    `at most ${MAX_ERROR_UNITS} UTF-16 units`,
    `at most ${limits.MAX_PROBLEMS} problems`,
    `cut to ${MAX_CLIENT_LENGTH} characters`,
    `${limits.MAX_HEADER_BYTES / 1024} KiB of headers`,
  ],
  "docs/rules/import-run.md": [`at most ${JSON_SIZE}, and the sounds ${PACKAGE_SIZE} together`],
  "docs/rules/importer-api.md": [
    `${formatLimitSpan(relay.uploadIdleSeconds)} (\`SOUNDFERRY_UPLOAD_IDLE_S\`)`,
    `pings every ${limits.PING_SECONDS} s`,
    `at most ${limits.MAX_PAGE_PACKAGES} packages and ${JSON_SIZE} of JSON`,
  ],
  "docs/rules/keeping.md": [
    `${formatLimitSpan(relay.quarantineSeconds)} (\`SOUNDFERRY_QUARANTINE_S\`)`,
    `${relay.ballastBytes / 1024 ** 2} MiB of random bytes`,
    `proven by ${CLOCK_PROOF} of running (\`SOUNDFERRY_CLOCK_PROOF_S\`)`,
  ],
  "docs/rules/layout.md": [
    `below ${MIN_BPM} or above ${MAX_BPM} BPM`,
    `Exactly ${MIN_BPM} and exactly ${MAX_BPM}`,
    `larger than ${JSON_SIZE}`,
  ],
  "docs/rules/limits.md": [
    `may hold ${OWN} of ${gib(relay.bytesPerDevice)} and the next three ${PLACE} each`,
    `the ${OWN} come first`,
    `at most ${PLACE}`,
    `two largest packages (${PLACE})`,
    `Of ${WAITING} waiting packages, one app may have ${OWN_WAITING} and three others ${sharesOfWaiting(WAITING).place} each`,
    `beyond ${OWN_WAITING}`,
    `${WAITING} packages are already \`waiting\``,
    `would exceed ${gib(relay.bytesPerDevice)}`,
    `Less than ${gib(relay.minFreeBytes)} of disk`,
    `send ${gib(relay.bytesPerAddressPerDay)} a day`,
    `have ${relay.uploadsPerDevice} uploads running`,
    `${limits.RETRY_FULL_SECONDS} seconds for a 507 and ${limits.RETRY_NOT_READY_SECONDS} for a 503`,
  ],
  "docs/rules/manifest.md": [
    `at most ${JSON_SIZE}`,
    `longer than ${MAX_SOUNDS} sounds`,
    `more than ${limits.MAX_PACKAGE_BYTES} bytes`,
    `at most ${MAX_WARNING_UNITS} characters`,
    `at most ${MAX_WARNINGS} warnings`,
    `cut to ${MAX_NAME_LENGTH} code points`,
    `has more than ${MAX_NAME_LENGTH}.`,
    `up to ${MAX_TITLE_LENGTH} code points`,
    `cleaned like titles, at ${MAX_NAME_LENGTH}`,
    `longer than ${MAX_ID_LENGTH} characters`,
    `\`POST /packages\`, 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} characters`,
  ],
  "docs/rules/page.md": [
    `(${MAX_SOUNDS} sounds, together ${PACKAGE_SIZE})`,
    `all has at most ${MAX_TITLE_LENGTH} characters`,
    `beyond ${MAX_SOUNDS * MAX_PACKAGES_AT_ONCE}`,
    `beyond ${(MAX_PACKAGE_BYTES * MAX_PACKAGES_AT_ONCE) / 1024 ** 2} MB`,
  ],
  "docs/rules/pairing.md": [
    `1 to ${MAX_TITLE_LENGTH} characters`,
    `lives for ${CODE_LIFE}`,
    `at most ${MAX_NAME_LENGTH} characters; \`app_id\` has 1 to ${MAX_APP_ID_LENGTH}`,
    `(${limits.MAX_TOKENS_PER_PAIRING} at most, the oldest`,
    `has ${relay.pairingTriesPerMinute} tries a minute and ${relay.pairingTriesPerHour} an hour`,
    `an IPv6 /56 has ${relay.pairingTriesPer56} `,
    `IPv6 /48 ${relay.pairingTriesPerNetwork} `,
    `all together ${relay.pairingTriesOfAll} (`,
    `register ${relay.pairingTriesPerMinute} times a minute`,
    `the same wait of ${limits.CONSENT_WAIT_SECONDS} s`,
    `A yes counts for ${formatLimitSpan(limits.CONSENT_SECONDS)}`,
    `1 to ${limits.MAX_IDEMPOTENCY_KEY_LENGTH} characters, the same claim`,
    `for ${formatLimitSpan(limits.CLAIM_REPEAT_SECONDS)} after its first success`,
  ],
  "docs/rules/preview.md": [`${MIN_BPM} to ${MAX_BPM} BPM`],
  "docs/rules/states.md": [
    `1 to ${MAX_ID_LENGTH} characters`,
    `lasts ${formatLimitSpan(relay.leaseSeconds)}`,
    `within ${UPLOAD_WINDOW} of its announcement`,
    `within ${WAIT_WINDOW} of its commit`,
    `${WAIT_WINDOW} after the commit`,
    `at most ${formatLimitSpan(MAX_HOLD_SECONDS)} past the deadline`,
    `for ${STATUS_WINDOW} (\`SOUNDFERRY_STATUS_WINDOW_S\`)`,
    `up to ${MAX_WAIT_SECONDS} seconds`,
    `at most ${RESULTS_SIZE} of JSON`,
  ],
  "docs/build/stores.md": [`at the latest after ${limits.PING_SECONDS} seconds`],
  "docs/rules/uploads.md": [
    `up to ${PACKAGE_SIZE} or for`,
    `1 to ${MAX_SAMPLE_RATE_HZ} Hz`,
    `${formatLimitSpan(relay.uploadIdleSeconds)} (\`SOUNDFERRY_UPLOAD_IDLE_S\`)`,
    `for what it lacks for ${ROOM_HOLD}`,
    `largest packages (${UNFILLED})`,
  ],
  "docs/build/testing.md": [
    `waits until ${formatLimitSpan(relay.waitWindowSeconds)} after the commit`,
  ],
  "docs/use/wav.md": [`1 to ${MAX_SAMPLE_RATE_HZ} Hz`, `or above ${KHZ}`],
  "fixtures/README.md": [
    `−${-limits.MIN_GAIN_DB} to +${limits.MAX_GAIN_DB} dB`,
    `${MIN_BPM} and ${MAX_BPM} BPM`,
    `8 to ${KHZ}`,
  ],
};

/** Pages whose table of codes or settings another test compares with the code. */
const COMPARED = new Set(["docs/use/errors.md", "docs/use/command-line.md"]);

const PAGES = new Map(
  [...readPages().map(({ path }) => path), ...Object.keys(NAMED)].map((path) => [
    path,
    withoutTables(path, readFileSync(join(ROOT, path), "utf8")),
  ]),
);

test("every page that names a limit has the code's number", () => {
  const missing = Object.entries(NAMED).flatMap(([page, phrases]) =>
    phrases
      .filter((phrase) => !PAGES.get(page)?.includes(phrase))
      .map((phrase) => `${page} doesn't say "${phrase}"`),
  );
  expect(missing).toEqual([]);
});

test("every place in a document that names a limit is listed here", () => {
  const unknown = [...PAGES].flatMap(([page, text]) => {
    const rest = (NAMED[page] ?? []).reduce((left, phrase) => left.replaceAll(phrase, "…"), text);
    return findLimitWords(rest)
      .filter((words) => !OTHERS.some(([path, other]) => path.test(page) && other.test(words)))
      .map((words) => `${page}: ${words}`);
  });
  expect(unknown).toEqual([]);
});

/** On one line, and without the tables that are generated or that another test compares with the code. */
function withoutTables(page: string, text: string): string {
  return text
    .replaceAll(/<!-- table: [\w/]+ -->.*?<!-- end -->/gs, "")
    .replaceAll(COMPARED.has(page) ? /^(?:\| `[A-Z_]+` \||`SOUNDFERRY_\w+.* \| ).*$/gm : /$^/g, "")
    .replaceAll(/^ *\*+ /gm, "")
    .replaceAll(/\s+/g, " ");
}

function gib(bytes: number): string {
  return `${bytes / 1024 ** 3} GiB`;
}
