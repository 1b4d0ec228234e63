import {
  assert,
  assertMatches,
  assertRefusal,
  assertSame,
  assertStatus,
  listOf,
  partOf,
  show,
} from "../assert.ts";
import type { Answer } from "../answer.ts";
import type { Check } from "../check.ts";

/** Answers about the app itself. */
export const OWN_ANSWER_CHECKS: readonly Check[] = [
  {
    id: "me-room",
    rule: "A4",
    title: "GET /app/me says what there is room for",
    run: async (kit) => {
      const { token } = await kit.app();
      const room = partOf((await kit.call("GET", "/app/me", { token })).json, "room");
      for (const name of ["bytes_left", "waiting_left", "package_bytes_max"]) {
        const number = partOf(room, name);
        assert(Number.isInteger(number) && Number(number) >= 0, `${name} is ${show(number)}.`);
      }
    },
  },
  {
    id: "status-taken",
    rule: "S7",
    title: "the status says `taken` while a run holds the package, and not before or after",
    run: async (kit) => {
      const made = await kit.waiting();
      assertSame(partOf((await kit.status(made)).json, "taken"), undefined, "taken before the run");
      await kit.take(made, { run_id: "taken" });
      const { json } = await kit.status(made);
      assertSame(partOf(json, "taken"), true, "taken");
      const listed = await kit.call("GET", "/packages?status=waiting", { token: made.app.token });
      const own = listOf(listed.json, "packages").find(
        (one) => partOf(one, "package_id") === made.id,
      );
      assertSame(partOf(own, "taken"), true, "taken in the app's list");
      await kit.report(made, { "1": { status: "failed" } });
      assertSame(
        partOf((await kit.status(made)).json, "taken"),
        undefined,
        "taken after the report",
      );
    },
  },
  {
    id: "own-packages",
    rule: "S7",
    title: "GET /packages lists an app's own packages by status",
    run: async (kit) => {
      const made = await kit.uploading();
      const { token } = made.app;
      const ask = (query: string) => kit.call("GET", `/packages${query}`, { token });
      const idsOf = async (query: string) => idsIn(await ask(query));
      const answer = await ask("?status=uploading");
      assertStatus(answer, 200);
      const listed = listOf(answer.json, "packages");
      const own = listed.find((one) => partOf(one, "package_id") === made.id);
      assertSame(partOf(own, "status"), "uploading", "The status of its package");
      assertMatches(partOf(own, "title"), /./, "Its title");
      assertRefusal(await ask("?status=gone"), "STATUS_WRONG");
      assertRefusal(await ask("?after=no-cursor"), "CURSOR_WRONG");
      for (const other of [await kit.app("first"), await kit.app("second")]) {
        if (other.appId === made.app.appId) continue;
        const ids = idsIn(await kit.call("GET", "/packages", { token: other.token }));
        assert(!ids.includes(made.id), "Another app sees the package in its list.");
      }
      assert(
        (await idsOf("?status=imported,uploading")).includes(made.id),
        "It is not among both.",
      );
      await kit.withdraw(made);
      const isGone = (await kit.status(made)).status === 404;
      assert(!isGone || !(await idsOf("")).includes(made.id), "Withdrawn, it is still listed.");
    },
  },
  {
    id: "packages-rate-limit",
    rule: "L1",
    title: "RateLimit at /packages also says how many packages are left",
    run: async (kit) => {
      const { headers } = (await kit.uploading()).announced;
      const limit = headers["ratelimit"] ?? "";
      assertMatches(limit, /"packages";r=\d+;t=\d+/, "RateLimit");
      assertMatches(headers["ratelimit-policy"], /"packages";q=\d+;w=3600/, "RateLimit-Policy");
    },
  },
  {
    id: "head",
    rule: "E1",
    title: "HEAD answers wherever GET does, without a body",
    run: async (kit) => {
      const made = await kit.share("head", () => kit.waiting());
      const { token, device } = made.app;
      const file = String(partOf(await kit.listedAs(made), "files", "one.wav"));
      for (const [path, as, status] of [
        ["/healthz", undefined, 200],
        ["/manifest.schema.json", undefined, 200],
        ["/app/me", token, 200],
        ["/packages", token, 200],
        [`/packages/${made.id}/status`, token, 200],
        ["/packages/pkg_none/status", token, 404],
        ["/importer/packages?after=", device.token, 200],
        [file, device.token, 200],
      ] as const) {
        const answer = await kit.call("HEAD", path, { token: as });
        assertStatus(answer, status);
        assertSame(answer.bytes.length, 0, "The number of bytes of its body");
      }
    },
  },
];

function idsIn({ json }: Answer): readonly unknown[] {
  return listOf(json, "packages").map((one) => partOf(one, "package_id"));
}
