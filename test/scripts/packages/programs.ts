// Programs as an app's developer writes them. A comment with a mark is an error that the compiler must find, so that
// no type is `any`.

/** On a page: every entry for browsers. */
export const ON_A_PAGE = `
import { ClientError, LocalStoragePairings, Pairings, SoundferryClient } from "@soundferry/client";
import type { PackageDraft, SendProgress } from "@soundferry/client";
import { type ConvertedSound, convert, guessSounds, type Recording } from "@soundferry/client/audio";
import type { SoundferrySend } from "@soundferry/client/element";
import { previewLayout } from "@soundferry/client/layout";

export const add = async (blob: Blob): Promise<ConvertedSound> => convert(blob, { name: "Beat.aiff" });
export const stems = ({ hints, header }: ConvertedSound): readonly Recording[] =>
  guessSounds([{ name: "Neon Rain (Drums).wav", hints, header, packageBpm: 97 }]).recordings;
// @ts-expect-error -- a sound's header says how long it is
export const lengthless = guessSounds([{ name: "Neon Rain (Drums).wav", hints: {} }]);
export const shown: SoundferrySend | null = document.querySelector("soundferry-send");

export async function send(client: SoundferryClient, draft: PackageDraft): Promise<string> {
  const onProgress = ({ doneBytes, totalBytes }: SendProgress): number => doneBytes / totalBytes;
  const { packageId, warnings } = await client.send(draft, { onProgress });
  for await (const { status } of client.follow(packageId)) if (status === "imported") break;
  const { tracks } = await previewLayout(draft);
  return warnings.map(({ code }) => code).join() + tracks.length;
}
export const pairings = new Pairings(new LocalStoragePairings());
export const isTold = (error: unknown): error is ClientError => error instanceof ClientError;
// @ts-expect-error -- there is no such kind
export const wrong: PackageDraft = { sounds: [{ source: new Blob([]), kind: "lop" }] };
`;

/** In a program for Node. */
export const IN_NODE = `
import { Pairings, SoundferryClient, type PackageDraft } from "@soundferry/client";
import { FilePairings, FileTokenStore, IN_NODE, soundFile } from "@soundferry/client/node";

const tokenStore = new FileTokenStore("tokens.json", "http://relay.example");
export const client = new SoundferryClient({ relayUrl: "http://relay.example", tokenStore, ...IN_NODE });
export const draft = async (): Promise<PackageDraft> => ({ sounds: [{ source: await soundFile("beat.wav") }] });
export const kept = new Pairings(new FilePairings("pairings.json"), IN_NODE);
// @ts-expect-error -- a path is text
export const wrong = soundFile(1);
`;

/** A program that embeds the relay and the importer. */
export const ON_A_SERVER = `
import type { Layout } from "soundferry/core";
import type { Host } from "soundferry/addon";
import { readRelaySettings, type Relay } from "soundferry/relay";
import type { ContractCase } from "soundferry/relay/testing";

export function nameOf(layout: Layout, host: Host, relay: Relay, { title }: ContractCase): string {
  return layout.scene.name + host.name + relay.context.policy.leaseMs + title;
}
// @ts-expect-error -- an environment is no text
export const wrong = readRelaySettings({ environment: "" });
`;

/** A page's script with a function that sends a sound. */
export const SENDING_PAGE = `
import { localAppId, MemoryTokenStore, SoundferryClient } from "@soundferry/client";
import { wavOf } from "@soundferry/client/audio";
import { previewLayout } from "@soundferry/client/layout";

globalThis.send = async (relayUrl, code, source) => {
  const app = { name: "Looper", id: localAppId() };
  const client = new SoundferryClient({ relayUrl, app, tokenStore: new MemoryTokenStore() });
  await client.pair(code);
  const draft = { sounds: [{ source }] };
  const { packageId } = await client.send(draft);
  const { status } = await client.status(packageId);
  const { scene } = await previewLayout(draft);
  const wav = await wavOf(new AudioBuffer({ length: 9, sampleRate: 44_100 }));
  return { status, scene: scene.name, wavType: wav.type };
};
`;

/** A component that shows the element. */
export const IN_REACT = `
import { type ElementEvents, SoundferrySend, type SoundferrySendElement } from "@soundferry/react";
import { createElement, createRef } from "react";

const ref = createRef<SoundferrySendElement>();
export const sent: string[] = [];
const onSent = ({ packageId }: ElementEvents["sent"]): void => void sent.push(packageId);
const relay = "http://relay.example";
export const shown = createElement(SoundferrySend, { relay, app: "Looper", ref, onSent });
// @ts-expect-error -- a tempo is a number
export const wrong = createElement(SoundferrySend, { relay, bpm: "fast" });
`;

/** A page's script that shows it. */
export const REACT_PAGE = `
import { SoundferrySend } from "@soundferry/react";
import { createElement } from "react";
import { createRoot } from "react-dom/client";

const shown = createElement(SoundferrySend, { relay: "http://127.0.0.1:9", app: "Looper", lang: "de" });
createRoot(document.querySelector("#root")).render(shown);
`;
