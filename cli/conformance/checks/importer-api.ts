import { once } from "node:events";
import {
  assert,
  assertExpiry,
  assertMatches,
  assertRefusal,
  assertSame,
  assertStatus,
  listOf,
  partOf,
  TIMESTAMP,
} from "../assert.ts";
import { Inconclusive } from "../assertion-failure.ts";
import type { Check } from "../check.ts";
import type { Kit } from "../kit.ts";
import { LIST_CHECKS } from "./importer-pages.ts";
import { notificationStory } from "./notification-story.ts";

/** The importer's calls besides taking, reporting and downloading. */
export const IMPORTER_CHECKS: readonly Check[] = [
  {
    id: "packages",
    rule: "I1",
    title: "a committed package is listed with all its properties",
    run: packages,
  },
  {
    id: "packages-uncommitted",
    rule: "I1",
    title: "a package that is uploading is not listed",
    run: async (kit) => {
      assert((await kit.listedAs(await kit.uploaded())) === undefined, "It is listed.");
    },
  },
  {
    id: "packages-order",
    rule: "I1",
    title: "packages are listed newest first",
    run: async (kit) => {
      const made = [await kit.waiting(), await kit.waiting()].map(({ id }) => id);
      const packages = await kit.listed(await kit.device());
      const ids = packages.map((one) => partOf(one, "package_id"));
      const listed = ids.filter((id) => made.some((one) => one === id));
      assertSame(listed, made.toReversed(), "The order");
    },
  },
  {
    id: "packages-of-another-computer",
    rule: "I1",
    title: "another computer's package is not listed, and 404 for every call",
    run: foreign,
  },
  {
    id: "packages-taken",
    rule: "I1",
    title: "the list says whether a package is taken, and what became of it",
    run: async (kit) => {
      const made = await kit.waiting();
      await kit.take(made);
      const taken = await kit.listedAs(made);
      assertSame(partOf(taken, "taken"), true, "taken");
      await kit.report(made, { "1": { status: "imported" } });
      const reported = await kit.listedAs(made);
      assertSame(partOf(reported, "status"), "imported", "status");
    },
  },
  {
    id: "packages-version",
    rule: "I1",
    title: "a package's `version` rises with every change",
    run: async (kit) => {
      const made = await kit.waiting();
      const version = async () => Number(partOf(await kit.listedAs(made), "version"));
      const first = await version();
      await kit.take(made, { run_id: "run-1" });
      const taken = await version();
      await kit.report(made, { "1": { status: "imported" } });
      const reported = await version();
      const isRising = first < taken && taken < reported;
      assert(
        isRising,
        `Before and after a take and a report it is ${first}, ${taken}, ${reported}.`,
      );
    },
  },
  ...LIST_CHECKS,
  {
    id: "socket",
    rule: "I3",
    title: "notifications come for a used code, for apps and for packages",
    run: async (kit) => {
      const { notifications, received } = await notificationStory(kit);
      for (const [notification, isReceived] of Object.entries(notifications)) {
        assert(isReceived, `This notification did not arrive: ${notification}.`);
      }
      const used = received.find((one) => partOf(one, "type") === "code.used");
      assertSame(partOf(used, "app_name"), "Conformance bell", "app_name of code.used");
    },
  },
  {
    id: "socket-own",
    rule: "I3",
    title: "no notification comes for another computer",
    run: async (kit) =>
      assertSame((await notificationStory(kit)).otherReceived, [], "What the other received"),
  },
  {
    id: "socket-token",
    rule: "I3",
    title: "the socket needs an importer's token: 401",
    run: async (kit) => {
      const { token } = await kit.app();
      for (const given of [undefined, token]) {
        const status = await statusOfUpgrade(kit, given);
        assertSame(status, 401, "The status of the upgrade");
      }
    },
  },
  {
    id: "hello",
    rule: "I4",
    title: "hello needs no token and gives service, version, importer_api and now",
    run: async (kit) => {
      const answer = await kit.call("GET", "/importer/hello");
      assertStatus(answer, 200);
      assertSame(partOf(answer.json, "service"), "soundferry", "service");
      assertMatches(partOf(answer.json, "version"), /^\d+\.\d+\.\d+/, "version");
      assert(listOf(answer.json, "importer_api").includes(1), "importer_api lacks 1.");
      assertMatches(partOf(answer.json, "now"), TIMESTAMP, "now");
    },
  },
  {
    id: "api-version",
    rule: "I4",
    title: "an importer's api that is no longer supported is 426, and hello still answers",
    run: async (kit) => {
      const { token } = await kit.device();
      const headers = { "x-soundferry-importer": "0.0.1; api=0" };
      const refused = await kit.call("GET", "/importer/apps", { token, headers });
      assertRefusal(refused, "IMPORTER_TOO_OLD");
      assertMatches(partOf(refused.json, "error"), /[Uu]pdate/, "error");
      assertStatus(await kit.call("GET", "/importer/hello", { headers }), 200);
      const spoken = { "x-soundferry-importer": "0.1.0; api=1" };
      assertStatus(await kit.call("GET", "/importer/apps", { token, headers: spoken }), 200);
    },
  },
];

async function packages(kit: Kit): Promise<void> {
  const made = await kit.waiting(undefined, { title: "Night Drive" });
  const listed = await kit.listedAs(made);
  assert(listed !== undefined, "The package is not listed.");
  assertSame(partOf(listed, "status"), "waiting", "status");
  assertMatches(partOf(listed, "app_name"), /^Conformance/, "app_name");
  assertSame(partOf(listed, "manifest", "title"), "Night Drive", "manifest.title");
  assertSame(partOf(listed, "manifest", "package_id"), made.id, "manifest.package_id");
  assertSame(Object.keys(Object(partOf(listed, "files"))), ["one.wav"], "The list of files");
  assertSame(partOf(listed, "taken"), false, "taken");
  assertMatches(partOf(listed, "created_at"), TIMESTAMP, "created_at");
  assertMatches(partOf(listed, "committed_at"), TIMESTAMP, "committed_at");
  assertExpiry(listed, "The package");
}

async function foreign(kit: Kit): Promise<void> {
  const made = await kit.waiting();
  const other = await kit.device("Conformance kit, doors");
  const { token } = other;
  assertSame(await kit.listed(other), [], "The other computer's list");
  for (const [method, path] of [
    ["GET", ""],
    ["POST", "/take"],
    ["GET", "/files/one.wav"],
    ["POST", "/results"],
  ] as const) {
    const body = path === "/results" ? { results: {} } : undefined;
    const answer = await kit.call(method, `/importer/packages/${made.id}${path}`, { token, body });
    assertRefusal(answer, "PACKAGE_UNKNOWN");
  }
}

async function statusOfUpgrade(kit: Kit, token: string | undefined): Promise<unknown> {
  const socket = kit.wire.socket(token);
  try {
    const opened = once(socket, "open").then(() => 101);
    const refused = once(socket, "unexpected-response").then(([, response]: unknown[]) =>
      Number(partOf(response, "statusCode")),
    );
    return await Promise.any([opened, refused]);
  } catch {
    throw new Inconclusive("The socket did not answer.");
  } finally {
    socket.terminate();
  }
}
