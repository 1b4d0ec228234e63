import { expect, test } from "vitest";
import {
  StoreBusyError,
  StoreFullError,
  StoreLostError,
  StoreTroubleError,
} from "../../../../relay/domain/ports.ts";
import { tryStores } from "../../../../relay/domain/upkeep/check-health.ts";
import { openUseCases } from "../use-cases.ts";

test.each([
  [new StoreFullError("x"), "full", "the disk is full. Free some space."],
  [new StoreBusyError("x"), "locked", "another program has locked the database. Close it."],
  [
    new StoreLostError("x"),
    "lost",
    "the database or the folder of sounds was exchanged or damaged. The log says more.",
  ],
  [
    new StoreTroubleError("x", { code: "EIO" }),
    "failing",
    "the disk or the database fails. The log says more.",
  ],
])("[K9] why no change succeeds is noted until one does: %s", async (cause, reason, why) => {
  await using cases = await openUseCases();
  const { context } = cases;
  const { upkeep, packages, sounds } = context;
  if (upkeep === undefined) throw new Error("SQLite has upkeep.");
  const note = () => context.health.notices.get("writing");
  expect([await tryStores(context), note()]).toEqual([undefined, undefined]);

  const fails = async () => Promise.reject(cause);
  const tryChange = upkeep.tryChange.bind(upkeep);
  Object.assign(upkeep, { tryChange: fails });
  expect(await tryStores(context)).toMatchObject({
    reason,
    part: "database",
    cause: { name: cause.name },
  });
  expect(note()).toBe(`Nothing can be saved: ${why}`);
  const room = sounds.room.bind(sounds);
  sounds.room = fails;
  expect(await tryStores(context)).toMatchObject({ part: "database" });

  Object.assign(upkeep, { tryChange });
  expect(await tryStores(context)).toMatchObject({
    reason,
    part: "store",
    cause: { name: cause.name },
  });
  sounds.room = room;
  expect([await tryStores(context), note()]).toEqual([undefined, undefined]);

  packages.find = fails;
  const { upkeep: _none, ...without } = context;
  expect(await tryStores(without)).toMatchObject({ part: "database" });
});
