import type { SoundferryClient } from "../../../client/soundferry-client.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { Failure, WrongUse } from "../../fail.ts";
import type { Output } from "../../output.ts";
import { deliver } from "./deliver.ts";
import { type Delivered, followToEnd, type Followed } from "./follow-to-end.ts";
import type { PlannedPackage } from "./pack-sounds.ts";

interface SendingOptions {
  /** True for a list as the result, whatever the number of packages. */
  readonly isList: boolean;
  /** The package that is sent first, counted from 1: the others were sent before. */
  readonly fromPart: number;
  /** False to stop at `waiting`. */
  readonly follow: boolean;
  readonly output: Output;
  readonly signal: AbortSignal;
}

/**
 * Sends packages one after the other, each whole, and then follows them (rule K18).
 * @throws {Failure} which says what was sent and what wasn't
 */
export async function sendPackages(
  client: SoundferryClient,
  packages: readonly PlannedPackage[],
  { isList, fromPart, follow, output, signal }: SendingOptions,
): Promise<void> {
  const { length } = packages;
  if (fromPart > length) throw new WrongUse(`--from-part ${fromPart}: the last part is ${length}.`);
  if (length > 1) output.say(`${length} packages: separate scenes, to be launched together.`);
  const sent: Delivered[] = [];
  for (const [index, planned] of packages.entries()) {
    if (index + 1 < fromPart) continue;
    try {
      signal.throwIfAborted();
      const outgoing = await planned.prepare(signal);
      for (const note of outgoing.notes) output.say(note);
      sent.push(await deliver(client, outgoing, { title: planned.title, output, signal }));
    } catch (error) {
      if (index === 0) throw error;
      throw partFailure(error, packages, { index, sent, isStopped: signal.aborted });
    }
  }
  // Several packages wait for the same click.
  const followed = { follow, signal, output: isList ? saidOnce(output) : output };
  const results = await Promise.all(sent.map((one) => followToEnd(client, one, followed)));
  giveResults(results, isList, output);
}

/** Says which packages were sent, which not, and how to send the rest. */
function partFailure(
  error: unknown,
  packages: readonly PlannedPackage[],
  {
    index,
    sent,
    isStopped,
  }: { readonly index: number; readonly sent: readonly Delivered[]; readonly isStopped: boolean },
): Failure {
  const titles = packages.map(({ title }) => title);
  const sentences = [
    isStopped ? "Stopped." : sentenceOf(error),
    `Sent: ${titles.slice(0, index).join(", ")}. Not sent: ${titles.slice(index).join(", ")}.`,
    `To send the rest, run the same command with --from-part ${index + 1}.`,
  ];
  const facts = {
    sent: sent.map(({ packageId, title }) => ({ package_id: packageId, title })),
    not_sent: titles.slice(index),
  };
  return new Failure(sentences.join(" "), { cause: error, facts });
}

function saidOnce(output: Output): Output {
  const said = new Set<string>();
  const say = (line: string): void => {
    if (!said.has(line)) output.say(line);
    said.add(line);
  };
  return { ...output, say };
}

function giveResults(results: readonly Followed[], isList: boolean, output: Output): void {
  const values = results.map(({ value }) => value);
  const text = results.map((one) => one.text).join("\n\n");
  output.give(isList ? { packages: values } : values[0], text);
}
