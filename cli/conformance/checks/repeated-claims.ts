import { randomUUID } from "node:crypto";
import type { Answer } from "../answer.ts";
import { assert, assertRefusal, assertSame, assertStatus, listOf, partOf } from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit } from "../kit.ts";
import { inPairingTurn, ownComputer, readMe } from "./own-computer.ts";
import { onceRevoked } from "./waking.ts";

const NAME = "Conformance repeated";

/** A claim with an Idempotency-Key, the same once more, and one that only shares key and code. */
interface RepeatedClaim {
  readonly first: Answer;
  readonly again: Answer;
  readonly other: Answer;
  readonly firstMe: Answer;
  readonly secondMe: Answer;
  readonly names: readonly unknown[];
}

/** Claims whose answer was lost. */
export const REPEATED_CLAIM_CHECKS: readonly Check[] = [
  {
    id: "claim-repeated",
    rule: "P13",
    title: "the same claim with the same Idempotency-Key is 200 again, in any spelling of its code",
    isLong: true,
    run: async (kit) => {
      const { first, again, secondMe } = await repeatedClaim(kit);
      assertStatus(first, 200);
      assertStatus(again, 200);
      assertStatus(secondMe, 200);
      assertSame(
        partOf(again.json, "device_name"),
        partOf(first.json, "device_name"),
        "device_name of the second answer",
      );
    },
  },
  {
    id: "claim-repeated-token",
    rule: "P13",
    title: "the repeated claim has a new token, and the first one is revoked",
    isLong: true,
    run: async (kit) => {
      const { first, again, firstMe } = await repeatedClaim(kit);
      const [one, other] = [first, again].map(({ json }) => partOf(json, "app_token"));
      assert(one !== other, "Both answers have the same token.");
      assertRefusal(firstMe, "TOKEN_UNKNOWN");
    },
  },
  {
    id: "claim-repeated-once",
    rule: "P13",
    title: "a repeated claim makes no second app",
    isLong: true,
    run: async (kit) => assertSame((await repeatedClaim(kit)).names, [NAME], "The app's names"),
  },
  {
    id: "claim-repeated-differs",
    rule: "P13",
    title: "a claim that has the key and the code, but another app_id, is 404",
    isLong: true,
    run: async (kit) => assertRefusal((await repeatedClaim(kit)).other, "CODE_UNKNOWN"),
  },
];

/** Runs once for all its checks. Only the last of its claims is a wrong try. */
function repeatedClaim(kit: Kit): Promise<RepeatedClaim> {
  return kit.share("repeated claim", async () => {
    const device = await ownComputer(kit);
    const headers = { "idempotency-key": randomUUID() };
    const claims = await inPairingTurn(kit, async () => {
      const code = await kit.code(device);
      const body = { code, app_name: NAME, app_id: `conformance-${randomUUID()}` };
      const spelled = `${code.slice(0, 3).toLowerCase()}-${code.slice(3).toLowerCase()}`;
      return {
        first: await kit.claim(body, device, headers),
        again: await kit.claim({ ...body, code: spelled }, device, headers),
        other: await kit.claim({ ...body, app_id: randomUUID() }, undefined, headers),
      };
    });
    const [first, second] = [claims.first, claims.again].map(({ json }) =>
      String(partOf(json, "app_token")),
    );
    const listed = await kit.call("GET", "/importer/apps", { token: device.token });
    return {
      ...claims,
      firstMe: await onceRevoked(kit, () => readMe(kit, first ?? "")),
      secondMe: await readMe(kit, second ?? ""),
      names: listOf(listed.json, "apps")
        .map((app) => partOf(app, "app_name"))
        .filter((name) => name === NAME),
    };
  });
}
