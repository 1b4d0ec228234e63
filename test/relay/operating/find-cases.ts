import { expect } from "vitest";
import { manifestOf } from "../../manifest-of.ts";
import { smallWav } from "../../wav-bytes.ts";
import { type OperatingCases, subject, SUM } from "./operate.ts";

const LIMIT = 20;

/** Cases of an operator who is asked why a package did not arrive. */
export const FIND_CASES: OperatingCases = {
  "[AD12] a package is found by the beginning of its id and by a part of its title, in any case":
    async ({ relay, token, packages: [first = ""], view }) => {
      const body = manifestOf(["a.wav"], { title: "Ärger im ＫＥＬＬＥＲ 100%" });
      const { package_id: id } = await relay.announce(token, body);
      for (const text of [id, id.slice(0, 12), "ärger", "ÄRGER IM", "keller 100%"]) {
        const found = await view.find(text, LIMIT);
        expect(found.packages.items.map((one) => one.package_id)).toEqual([id]);
        expect(found.story).toMatchObject({ package_id: id, status: "uploading" });
      }
      for (const text of ["100_", "pkg_%", `${first}x`]) {
        expect((await view.find(text, LIMIT)).packages.items).toEqual([]);
      }
    },

  "[AD12] several packages are listed newest first, page by page, and none of them in full":
    async ({ relay, token, packages, view }) => {
      await relay.announce(token, manifestOf(["a.wav"], { title: "Other" }));
      const found = await view.find("KIT", 1);
      expect(found.packages.items.map((one) => one.package_id)).toEqual([packages[1]]);
      expect(found.story).toBeUndefined();
      const rest = await view.list(
        "packages",
        { limit: 1, after: found.packages.next ?? "" },
        found.filters.packages,
      );
      expect(rest).toMatchObject({ items: [{ package_id: packages[0] }], next: null });
      expect((await view.find("pkg_", LIMIT)).packages.items).toHaveLength(3);
    },

  "[AD12] a computer is found with its apps and packages, and an app with its packages": async ({
    relay,
    importer,
    packages,
    actions,
    view,
  }) => {
    const other = await relay.register("Stage");
    const stranger = await relay.pair(other, { appName: "Sampler", appId: "app-9" });
    const foreign = await relay.send(stranger);
    await actions.block(subject(importer.deviceId), true);
    for (const text of [importer.deviceId, importer.deviceId.slice(0, 12), "sTUDIo"]) {
      const found = await view.find(text, LIMIT);
      expect(found.device).toMatchObject({
        device_id: importer.deviceId,
        connected: true,
        blocked: true,
        revoked: false,
      });
      expect(found.apps.items.map((one) => one.app_name)).toEqual(["Looper"]);
      expect(found.packages.items.map((one) => one.package_id)).toEqual(packages.toReversed());
    }
    const [app] = (await view.list("apps", { limit: 1 }, { device: other.deviceId })).items;
    for (const text of [app?.pairing_id ?? "", "sampler"]) {
      const found = await view.find(text, LIMIT);
      expect(found.device).toMatchObject({ device_id: other.deviceId, blocked: false });
      expect(found.packages.items.map((one) => one.package_id)).toEqual([foreign]);
    }
    await actions.revoke(other.deviceId);
    expect((await view.find(other.deviceId, LIMIT)).device).toMatchObject({ revoked: true });
    const later = Date.now() + 600_000;
    expect((await view.find(other.deviceId, LIMIT, later)).device?.connected).toBe(false);
  },

  "[AD12] a package's history runs from its announcement to its report, and says what holds it up":
    async ({ relay, importer, token, packages: [first = ""], actions, view }) => {
      const begun = await relay.announce(token, manifestOf(["a.wav", "b.wav"]));
      const body = smallWav();
      await relay.call("PUT", begun.upload["b.wav"] ?? "", { token, body });
      const eventsOf = async (id: string) => {
        const { story } = await view.find(id, LIMIT);
        return story?.timeline.map(({ event, file }) => file ?? event);
      };
      expect(await eventsOf(begun.package_id)).toEqual(["announced", "b.wav", "expires"]);
      const arrived = ["announced", "kick.wav", "pad.wav", "committed"];
      expect(await eventsOf(first)).toEqual([...arrived, "expires"]);

      await relay.call("GET", "/importer/packages?after=", importer);
      await relay.sweep();
      expect(await eventsOf(first)).toEqual([...arrived, "listed", "expires"]);
      await relay.call("POST", `/importer/packages/${first}/take`, importer);
      const reported = { results: { "1": { status: "imported", track: "Kick" } } };
      const path = `/importer/packages/${first}/results`;
      await relay.call("POST", path, { ...importer, body: reported });
      expect(await eventsOf(first)).toEqual([...arrived, "listed", "taken", "reported", "expires"]);

      await actions.deny(SUM);
      const [app] = (await view.list("apps", { limit: 1 })).items;
      await actions.revoke(app?.pairing_id ?? "");
      const { story } = await view.find(first, LIMIT);
      expect(story).toMatchObject({
        status: "partial",
        app: { app_name: "Looper", pairing_id: null },
        sounds: [
          { file: "kick.wav", state: "missing", denied: true, result: { track: "Kick" } },
          { file: "pad.wav", denied: true, result: { status: "failed" } },
        ],
        explanations: [
          "Only some of its sounds were imported.",
          "The app is no longer paired with this computer.",
          "The operator denies 2 sounds: kick, pad.",
        ],
      });
      expect(story?.sounds[0]?.arrived_at).toBe(story?.timeline[1]?.at);
    },

  "[AD12] of a purged package the log says who purged it": async ({
    importer,
    packages: [first = "", second = ""],
    actions,
    view,
  }) => {
    expect(await view.findGone(first)).toBeUndefined();
    await actions.purge(first);
    expect(await view.findGone(first.slice(0, 14))).toMatchObject({
      package_id: first,
      who: "anna",
    });
    await actions.purge(importer.deviceId);
    expect(await view.findGone(second)).toMatchObject({ package_id: second, who: "anna" });
    expect((await view.find(second, LIMIT)).packages.items).toEqual([]);
  },
};
