import { readOutgoing } from "../../cli/commands/send/read-outgoing.ts";
import type { OutgoingPackage } from "../../client/send/package-draft.ts";

/** Reads a folder as `soundferry send` does, into the one package that it is. */
export async function readPackage(folder: string, appName: string): Promise<OutgoingPackage> {
  const [first] = (await readOutgoing([folder], appName)).packages;
  if (first === undefined) throw new Error(`${folder} has no sounds.`);
  return first.prepare();
}
