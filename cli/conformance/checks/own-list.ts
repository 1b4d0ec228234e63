import { assertExpiry, assertMatches, assertSame, listOf, partOf, TIMESTAMP } from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit } from "../kit.ts";
import { announcedBy, ownApp } from "./own-computer.ts";

/** An app's list of its packages, and the order of the importer's. */
export const OWN_LIST_CHECKS: readonly Check[] = [
  {
    id: "own-packages-order",
    rule: "S7",
    title: "GET /packages has each of the app's packages once, newest first",
    isLong: true,
    run: async (kit) => {
      const { ids, all } = await listedApp(kit);
      const got = all.map((one) => partOf(one, "package_id"));
      assertSame(got, ids.toReversed(), "The order");
    },
  },
  {
    id: "own-packages-members",
    rule: "S7",
    title: "each package in GET /packages has title, status and times, as its status has",
    isLong: true,
    run: async (kit) => {
      const { all, statuses } = await listedApp(kit);
      assertSame(all.length, statuses.length, "How many there are");
      for (const [at, one] of all.toReversed().entries()) {
        const { json } = statuses[at] ?? {};
        for (const name of ["package_id", "title", "status", "created_at", "expires_at"]) {
          assertSame(partOf(one, name), partOf(json, name), `${name} in the list`);
        }
        assertMatches(partOf(one, "created_at"), TIMESTAMP, "created_at");
        assertExpiry(one, "The list");
      }
    },
  },
  {
    id: "own-packages-filtered",
    rule: "S7",
    title: "GET /packages?status=… has the packages of these statuses and no others",
    isLong: true,
    run: async (kit) => {
      const { uploading, others } = await listedApp(kit);
      assertSame(listOf(uploading.json, "packages").length, 2, "How many are uploading");
      assertSame(listOf(others.json, "packages"), [], "Those that are waiting or imported");
    },
  },
  {
    id: "packages-reported-last",
    rule: "I1",
    title: "packages not yet reported are listed first, both parts newest first",
    run: async (kit) => {
      const made: string[] = [];
      for (const status of ["", "imported", "", "failed"]) {
        const one = await kit.waiting();
        if (status !== "") await kit.report(one, { "1": { status } });
        made.push(one.id);
      }
      const packages = await kit.listed(await kit.device());
      const ids = packages.map((one) => partOf(one, "package_id"));
      const listed = ids.filter((id) => made.some((one) => one === id));
      const [first, second, third, fourth] = made;
      assertSame(listed, [third, first, fourth, second], "The order");
    },
  },
];

/** An app of its own with two packages, and its lists. */
function listedApp(kit: Kit) {
  return kit.share("listed app", async () => {
    const app = await ownApp(kit, "listed");
    const made = [
      await announcedBy(kit, app, { title: "Night Drive" }),
      await announcedBy(kit, app),
    ];
    const { token } = app;
    const ask = (query: string) => kit.call("GET", `/packages${query}`, { token });
    const statuses = [];
    for (const one of made) statuses.push(await kit.status(one));
    const { packages: all, next } = await kit.allPages("/packages", token);
    assertSame(next, null, "next after the last page");
    return {
      ids: made.map(({ id }) => id),
      statuses,
      all,
      uploading: await ask("?status=uploading"),
      others: await ask("?status=waiting,imported"),
    };
  });
}
