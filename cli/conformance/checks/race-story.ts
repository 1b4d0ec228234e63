import { listOf, partOf } from "../assert.ts";
import type { Kit } from "../kit.ts";
import type { Answer } from "../answer.ts";

/** A paired app claims a new code twice at once, then unpairs. */
export interface RaceStory {
  readonly claims: readonly Answer[];
  readonly listed: Answer;
  /** The app's names, old and new, that are listed. */
  readonly names: readonly unknown[];
  readonly unpaired: Answer;
  /** `GET /app/me` after that, with the revoked token and with the app's first one. */
  readonly secondAfter: Answer;
  readonly firstAfter: Answer;
}

/** Runs once for all its checks, because pairing tries are scarce. */
export function raceStory(kit: Kit): Promise<RaceStory> {
  return kit.share("race story", async () => {
    const first = await kit.app("first");
    const { device, appId } = first;
    const claims = await kit.inTurn("pairing", async () => {
      const code = await kit.code(device);
      const body = { code, app_name: "Conformance again", app_id: appId };
      return Promise.all([kit.claim(body, device), kit.claim(body, device)]);
    });
    const listed = await kit.call("GET", "/importer/apps", { token: device.token });
    const won = claims.find(({ status }) => status < 300);
    const token = String(partOf(won?.json, "app_token"));
    const unpaired = await kit.call("POST", "/app/unpair", { token });
    return {
      claims,
      listed,
      names: listOf(listed.json, "apps")
        .map((app) => partOf(app, "app_name"))
        .filter((name) => name === "Conformance first" || name === "Conformance again"),
      unpaired,
      secondAfter: await kit.call("GET", "/app/me", { token }),
      firstAfter: await kit.call("GET", "/app/me", { token: first.token }),
    };
  });
}
