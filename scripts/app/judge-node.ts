import { patchedNodeFor, whyUnpatched } from "../../cli/doctor/patched-node.cjs";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { SYSTEMS } from "./systems.ts";

/**
 * Says which security fixes the app's Node lacks, and whether npm has the patched one by now (rule SEC8); undefined if it
 * lacks none.
 * @param ask has npm look for a package's version, and rejects if there is none, or if npm can't tell
 */
export async function judgeNode(
  version: string,
  ask: (wanted: string) => Promise<unknown>,
): Promise<string | undefined> {
  const why = whyUnpatched(version);
  if (why === undefined) return undefined;
  const fault = `The Node in the app, ${version}, ${why}.`;
  const patched = patchedNodeFor(version);
  if (patched === undefined) return fault;
  const looks = await Promise.all(
    SYSTEMS.map(async ({ name, nodePackage }) => {
      try {
        await ask(`${nodePackage}@${patched}`);
        return { name, has: "it" };
      } catch (error) {
        return { name, has: /E404/.test(sentenceOf(error)) ? "nothing" : "no answer" };
      }
    }),
  );
  const lacking = looks.filter(({ has }) => has === "nothing").map(({ name }) => name);
  if (lacking.length > 0)
    return `${fault} npm has no Node ${patched} for ${lacking.join(", ")} yet.`;
  const isKnown = looks.every(({ has }) => has === "it");
  return isKnown
    ? `${fault} npm has Node ${patched} for every system: update package.json.`
    : `${fault} npm couldn't be asked for Node ${patched}.`;
}
