import { expect, test } from "vitest";
import { commitPackage } from "../../../../relay/domain/packages/commit-package.ts";
import { readStatus } from "../../../../relay/domain/packages/read-status.ts";
import { DAY, HOUR, T0 } from "../../../contracts/relay/records/sample-records.ts";
import {
  announced,
  beforeNextWrite,
  openUseCases,
  pair,
  pairedApp,
  recordOf,
  register,
  send,
  upload,
} from "../use-cases.ts";
import { manifestOf } from "../../../manifest-of.ts";

test("[S1] a commit with every file there makes the package wait for a day, and notifies once", async () => {
  await using cases = await openUseCases();
  const app = await pairedApp(cases);
  const { package_id: packageId } = await announced(cases, app, manifestOf(["a.wav", "b.wav"]));
  await upload(cases, app, packageId, { file: "a.wav" });
  await upload(cases, app, packageId, { file: "b.wav" });
  cases.notified.length = 0;
  cases.clock.time = T0 + 1000;
  const committed = await commitPackage(cases.context, app, packageId);
  expect(committed.life).toMatchObject({ committedAt: T0 + 1000, waitEndsAt: T0 + 1000 + DAY });
  const changed = [
    `package:${packageId} packages.changed`,
    `device:${app.deviceId} packages.changed`,
  ];
  expect(cases.notified).toEqual(changed);
  cases.clock.time = T0 + 2000;
  expect((await commitPackage(cases.context, app, packageId)).life).toEqual(committed.life);
  expect((await recordOf(cases, packageId)).life).toEqual(committed.life);
  expect(cases.notified).toEqual(changed);
});

/** A file name of that many characters. */
const named = (length: number, letter = "x") => `${letter.repeat(length - 4)}.wav`;

test.each([
  { case: "one", files: ["a.wav"], text: "Missing: a.wav" },
  { case: "several", files: ["b.wav", "a.wav"], text: "Missing: b.wav, a.wav" },
  { case: "one that just fits", files: [named(71)], text: `Missing: ${named(71)}` },
  { case: "one that is too long", files: [named(72)], text: `Missing: ${named(72).slice(0, 70)}…` },
  {
    case: "two that just fit",
    files: [named(64), "b.wav"],
    text: `Missing: ${named(64)}, b.wav`,
  },
  {
    case: "more than fit",
    files: [named(30), named(19, "y"), named(20, "z"), "a.wav"],
    text: `Missing: ${named(30)}, ${named(19, "y")} and 2 more`,
  },
  {
    case: "two of which the first just fits",
    files: [named(60), named(20)],
    text: `Missing: ${named(60)} and 1 more`,
  },
  {
    case: "two of which the first is too long",
    files: [named(65), "b.wav"],
    text: `Missing: ${"x".repeat(59)}… and 1 more`,
  },
])(
  "[S1][E1] a commit names in 80 characters the files that are missing: $case",
  async ({ files, text }) => {
    expect(text.length).toBeLessThanOrEqual(80);
    await using cases = await openUseCases();
    const app = await pairedApp(cases);
    const { package_id: packageId } = await announced(cases, app, manifestOf(files));
    const refused = commitPackage(cases.context, app, packageId);
    await expect(refused).rejects.toMatchObject({
      code: "FILES_MISSING",
      status: 409,
      message: text,
      extras: { body: { missing: files } },
    });
  },
);

test("[S1] of an expired package is refused as expired, whatever is missing", async () => {
  await using cases = await openUseCases();
  const app = await pairedApp(cases);
  const { package_id: packageId } = await announced(cases, app);
  cases.clock.time = T0 + HOUR - 1;
  await expect(commitPackage(cases.context, app, packageId)).rejects.toMatchObject({
    code: "FILES_MISSING",
  });
  cases.clock.time = T0 + HOUR;
  await expect(commitPackage(cases.context, app, packageId)).rejects.toMatchObject({
    code: "PACKAGE_EXPIRED",
    status: 409,
  });
});

test("[S1] a commit that another one overtakes keeps the first one's time and notifies nobody", async () => {
  await using cases = await openUseCases();
  const app = await pairedApp(cases);
  const { package_id: packageId } = await announced(cases, app);
  await upload(cases, app, packageId);
  beforeNextWrite(cases, "update", async () => {
    await commitPackage(cases.context, app, packageId);
    cases.clock.time += 5000;
    cases.notified.length = 0;
  });
  const { life } = await commitPackage(cases.context, app, packageId);
  expect(life.committedAt).toBe(T0);
  expect(cases.notified).toEqual([]);
});

test("[U3] a package is its app's own: for another app or computer it is 404", async () => {
  await using cases = await openUseCases();
  const { deviceId } = await register(cases);
  const app = await cases.context.known.app(await pair(cases, deviceId));
  const other = await cases.context.known.app(await pair(cases, deviceId, "app-2"));
  const elsewhere = await pairedApp(cases);
  const packageId = await send(cases, app);
  for (const stranger of [other, elsewhere]) {
    const refused = commitPackage(cases.context, stranger, packageId);
    await expect(refused).rejects.toMatchObject({ code: "PACKAGE_UNKNOWN", status: 404 });
  }
  await expect(commitPackage(cases.context, app, "pkg_unknown")).rejects.toMatchObject({
    code: "PACKAGE_UNKNOWN",
  });
  await commitPackage(cases.context, app, packageId);
});

test("[S5] the status can be read until seven days after the wait, to the millisecond", async () => {
  await using cases = await openUseCases();
  const app = await pairedApp(cases);
  const packageId = await send(cases, app);
  cases.clock.time = T0 + 8 * DAY - 1;
  const read = async () => JSON.parse(await readStatus(cases.context, app, packageId));
  expect((await read()).status).toBe("expired");
  cases.clock.time = T0 + 8 * DAY;
  await expect(read()).rejects.toMatchObject({ code: "PACKAGE_UNKNOWN" });
});
