import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MAX_PACKAGE_BYTES } from "../../../core/limits.ts";
import * as budgets from "../../../core/quotas/budgets.ts";

const PAGE = readFileSync(new URL("../../../docs/rules/admission.md", import.meta.url), "utf8");
/** The page as one line, however its lines are broken. */
const WORDS = PAGE.replaceAll(/\s+/g, " ");

/** The cells of the table of L6 by what is counted: those of an app, a computer, an address and all. */
const ROWS = new Map(
  PAGE.split("\n").flatMap((line) => {
    const [, what = "", ...cells] = line.split("|").map((cell) => cell.trim());
    return cells.length === 6 ? [[what, cells.slice(0, 5)] as const] : [];
  }),
);

const mebibytes = (bytes: number) => `${bytes / 1024 ** 2} MiB`;

test.each([
  ["bytes of arriving JSON", budgets.BODY_BYTES],
  ["bytes of unread answers", budgets.ANSWER_BYTES],
])("[L6] the page says the shares of the %s", (what, { perPairing, perDevice, perAddress }) => {
  const shares = [perPairing, perDevice, perAddress].map(mebibytes);
  expect(ROWS.get(what)?.slice(0, 3)).toEqual(shares);
});

test("[L6] the page says the shares of downloads, long-polls, connections and uploads", () => {
  const { DOWNLOADS, POLLS } = budgets;
  expect(DOWNLOADS.perPairing).toBe(Infinity);
  const { perDevice, perAddress, all } = DOWNLOADS;
  expect(ROWS.get("downloads")?.slice(0, 4)).toEqual(["", perDevice, perAddress, all].map(String));
  const polls = [POLLS.perPairing, POLLS.perDevice, POLLS.perAddress, POLLS.all];
  expect(ROWS.get("waiting long-polls")?.slice(0, 4)).toEqual(polls.map(String));
  const ofAddress = ["connections", "importers' sockets", "uploads"].map((what) =>
    Number(ROWS.get(what)?.[2]),
  );
  expect(ofAddress).toEqual([
    budgets.CONNECTIONS_PER_ADDRESS,
    budgets.SOCKETS_PER_ADDRESS,
    budgets.UPLOADS_PER_ADDRESS,
  ]);
});

test("[L7] the page says when each of them stands still", () => {
  const { UPLOAD_PACE, DOWNLOADS, CONNECTION_PACE, BODY_BYTES, ANSWER_BYTES, POLLS } = budgets;
  const below = `below ${UPLOAD_PACE.units / 1024} KiB in ${UPLOAD_PACE.ms / 1000} s`;
  expect([ROWS.get("uploads")?.[4], ROWS.get("downloads")?.[4]]).toEqual([below, below]);
  expect(DOWNLOADS.pace).toBe(UPLOAD_PACE);
  const { units = 0, ms = 0 } = BODY_BYTES.pace ?? {};
  const aSecond = units / 1024 / (ms / 1000);
  expect(ROWS.get("bytes of arriving JSON")?.[4]).toBe(
    `below ${aSecond} KiB a second, for ${ms / 1000} s`,
  );
  expect(ANSWER_BYTES.pace).toEqual({ units: 1, ms: 5000 });
  expect(ROWS.get("bytes of unread answers")?.[4]).toBe("for 5 s");
  expect(CONNECTION_PACE).toEqual({ units: 1, ms: 2000 });
  expect(ROWS.get("connections")?.[4]).toBe("without a call for 2 s");
  expect(POLLS).not.toHaveProperty("pace");
  expect(ROWS.get("waiting long-polls")?.[4]).toBe("never");
});

test("[L9] the page says what refused calls may cost in a minute", () => {
  const { perPairing, perDevice, perAddress, all } = budgets.REFUSED_BYTES;
  const [app, computer, address, together] = [perPairing, perDevice, perAddress, all].map(
    mebibytes,
  );
  expect(WORDS).toContain(
    `an app may spend ${app}, a computer ${computer}, an address ${address}, its networks as in ` +
      `L5, and all together ${together}.`,
  );
});

test("[L10] the page says how many announcements and codes an hour has", () => {
  const { ANNOUNCEMENT_SHARES: shares, CODES_PER_HOUR: codes } = budgets;
  const [device, address, all] = Object.values(codes).map((count) => count.toLocaleString("en"));
  expect(WORDS).toContain(`make ${shares.perDevice} times what one app may`);
  expect(WORDS).toContain(`an address ${shares.perAddress} times`);
  expect(WORDS).toContain(`all together ${shares.ofAll.toLocaleString("en")} times`);
  expect(WORDS).toContain(
    `${device} for a computer, ${address} for an address, and ${all} for all`,
  );
});

test("[U9] a computer may announce two packages of the largest size before they arrive, an address four", () => {
  expect(budgets.UNFILLED_PER_APP).toBe(2 * MAX_PACKAGE_BYTES);
  expect(budgets.UNFILLED_PER_ADDRESS).toBe(4 * MAX_PACKAGE_BYTES);
});
