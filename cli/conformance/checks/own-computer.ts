import type { Answer } from "../answer.ts";
import { LIMITS } from "../limits.ts";
import type { Kit, TestApp, TestDevice } from "../kit.ts";
import { manifestOf, smallSounds } from "../sounds.ts";
import type { TestPackage } from "../kit.ts";

/** The computer for checks that revoke tokens or count calls. Nothing ever waits for it. */
export function ownComputer(kit: Kit): Promise<TestDevice> {
  return kit.device("Conformance kit, pages");
}

/** An app of its own on that computer: nobody else calls with its token. */
export function ownApp(kit: Kit, name: string): Promise<TestApp> {
  return inPairingTurn(kit, async () => kit.pair(await ownComputer(kit), `Conformance ${name}`));
}

/** Runs work that needs that computer's pairing code: a new code replaces the one before. */
export function inPairingTurn<Result>(kit: Kit, work: () => Promise<Result>): Promise<Result> {
  return kit.inTurn("pairing, pages", work);
}

/** A package of this app that is uploading. @param more overrides the manifest's properties */
export async function announcedBy(kit: Kit, app: TestApp, more: object = {}): Promise<TestPackage> {
  const sounds = smallSounds("one.wav");
  return kit.packageOf(app, sounds, await kit.announce(app, manifestOf(sounds, more)));
}

export function readMe(kit: Kit, token: string): Promise<Answer> {
  return kit.call("GET", "/app/me", { token });
}

/** Numbers of an app's tokens, from the first to one more than it may have. */
export const TOKEN_NUMBERS = Array.from({ length: LIMITS.tokensPerPairing + 1 }, (_, at) => at + 1);
