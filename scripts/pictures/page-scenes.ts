import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { SentNote } from "../../client/send/session/session-view.ts";
import type { DescribedSound } from "../../pages/send/sending/sent-notes.ts";

/** The origin of the page in its scenes. */
export const RELAY_URL = "https://relay.example";

/** The answers of a picture's relay, by method and path; other calls get no answer. */
export type CannedAnswers = Readonly<
  Record<string, { readonly status: number; readonly body: object }>
>;

/** One state of the relay's page. */
export interface PageScene {
  readonly name: string;
  /** The values that the browser has stored for the page. */
  readonly stored: Readonly<Record<string, unknown>>;
  readonly answers: CannedAnswers;
  /** The user's actions before the picture is taken. */
  readonly act: (page: Page) => Promise<void>;
}

const FIXTURES = join(import.meta.dirname, "..", "..", "fixtures", "packages");
const COMPUTERS = [
  { relayUrl: RELAY_URL, deviceName: "Studio", token: "sfa_a-canned-token-of-studio-00000001" },
  { relayUrl: RELAY_URL, deviceName: "Laptop on the train", token: "sfa_a-canned-token-00000002" },
];

/** Fixtures under the names that a producer would give them. */
const SOUNDS = {
  "Warehouse Groove 126 BPM.wav": "drum-loops-90-126-174/warehouse-126.wav",
  "Steppers_DnB_174.wav": "drum-loops-90-126-174/steppers-174.wav",
  "Acid Runner 126 BPM Amin.wav": "bass-lines/acid-runner.wav",
  "Room Tone.wav": "textures/radiator.wav",
  "Clap_Room_01.wav": "one-shot-kit/clap-room.wav",
  "Kick_Deep.wav": "one-shot-kit/kick-deep.wav",
  "Snare_Fat.wav": "one-shot-kit/snare-fat.wav",
  "HH_Closed.wav": "one-shot-kit/hat-closed.wav",
} as const;

/** Chooses files under other names. */
async function chooseSounds(page: Page): Promise<void> {
  const files = page.getByLabel("Sound files");
  await files.setInputFiles(
    Object.entries(SOUNDS).map(([name, path]) => ({
      name,
      mimeType: "audio/wav",
      buffer: readFileSync(join(FIXTURES, path)),
    })),
  );
  const noSound = Buffer.from("no sound");
  await files.setInputFiles({ name: "cover.jpg", mimeType: "image/jpeg", buffer: noSound });
  await page.getByRole("button", { name: "1 file can’t be sent" }).waitFor();
}

async function describeSounds(page: Page): Promise<void> {
  await chooseSounds(page);
  await page.getByRole("textbox", { name: "Scene title" }).fill("Warehouse Sketch");
  await page.getByRole("row", { name: /^Clap Room/ }).click();
  await page.waitForFunction('document.querySelectorAll(".clip-row .shape").length > 6');
}

/** A package as the page stores it, and as the relay answers for it. */
function sentNote(
  packageId: string,
  title: string,
  names: readonly string[],
): SentNote<DescribedSound> {
  const sounds = names.map((name, index) => ({
    id: `sound-${index + 1}`,
    name,
    kind: "oneshot" as const,
    role: null,
    color: null,
    tempoBpm: null,
    lengthBeats: null,
    durationSeconds: 0.4,
  }));
  const [{ token = "" } = {}, { deviceName: computerName = "" } = {}] = [
    COMPUTERS[0],
    COMPUTERS[0],
  ];
  return { packageId, pairingKey: token.slice(-8), title, computerName, sounds, warnings: [] };
}

/** Every state of the page that a test checks for accessibility; some have a picture. */
export const PAGE_SCENES: readonly PageScene[] = [
  {
    name: "page-pairing",
    stored: {},
    answers: {
      "POST /pair/claim": {
        status: 404,
        body: {
          error: "This code is wrong, used or expired. Ask Live for a new one.",
          code: "CODE_UNKNOWN",
        },
      },
    },
    act: async (page) => {
      await page.getByRole("textbox", { name: "Pairing code" }).fill("K7M Q2X");
      await page.getByRole("button", { name: "Pair", exact: true }).click();
      await page.getByRole("alert").filter({ hasText: "This code" }).waitFor();
    },
  },
  {
    name: "page-sounds",
    stored: { "soundferry.pairings": COMPUTERS },
    answers: {},
    act: describeSounds,
  },
  {
    name: "page-empty",
    stored: { "soundferry.pairings": COMPUTERS },
    answers: {},
    act: async (page) => {
      await page.locator(".no-sounds").waitFor();
    },
  },
  {
    name: "page-computers",
    stored: { "soundferry.pairings": COMPUTERS },
    answers: {},
    act: async (page) => {
      await page.getByRole("button", { name: "To Studio", exact: true }).click();
      await page.getByRole("button", { name: "Unpair Laptop on the train" }).click();
    },
  },
  {
    name: "page-refused",
    stored: { "soundferry.pairings": COMPUTERS },
    answers: {},
    act: async (page) => {
      await chooseSounds(page);
      await page.getByRole("button", { name: "1 file can’t be sent" }).click();
    },
  },
  {
    name: "page-several",
    stored: { "soundferry.pairings": COMPUTERS },
    answers: {},
    act: async (page) => {
      await chooseSounds(page);
      await page.getByRole("row", { name: /^Clap Room/ }).click();
      await page.getByRole("row", { name: /^Kick Deep/ }).click({ modifiers: ["Shift"] });
      const edit = page.getByRole("button", { name: "Edit" });
      if (await edit.isVisible()) await edit.click();
      await page.getByText("3 sounds selected").first().waitFor();
    },
  },
  {
    name: "page-cut",
    stored: { "soundferry.pairings": COMPUTERS.slice(0, 1) },
    answers: {},
    act: async (page) => {
      await describeSounds(page);
      await page.getByRole("button", { name: "Loop", exact: true }).click();
      await page.getByRole("button", { name: "Send to Studio" }).click();
      await page.getByText("Retrying in").waitFor();
    },
  },
  {
    name: "page-results",
    stored: {
      "soundferry.pairings": COMPUTERS.slice(0, 1),
      "soundferry.sent": [
        sentNote("pkg_waits", "Night Bus", ["Hum", "Doors", "Rain"]),
        sentNote("pkg_partly", "Warehouse Sketch", ["Warehouse", "Rubber Line", "Clap Room"]),
      ],
    },
    answers: {
      "GET /packages/pkg_waits/status": {
        status: 200,
        body: { package_id: "pkg_waits", title: "Night Bus", status: "waiting", files: {} },
      },
      "GET /packages/pkg_partly/status": {
        status: 200,
        body: {
          package_id: "pkg_partly",
          title: "Warehouse Sketch",
          status: "partial",
          files: {},
          results: {
            "sound-1": {
              status: "imported",
              differences: [{ setting: "tempo_bpm", asked: 126, got: 63 }],
            },
            "sound-2": { status: "imported" },
            "sound-3": { status: "failed", error: "Live couldn't open this file." },
          },
        },
      },
    },
    act: async (page) => {
      const back = page.getByRole("button", { name: "Back" });
      if (await back.isVisible()) await back.click();
      await page.getByRole("row", { name: /2 of 3 sounds imported/ }).click();
      await page.getByRole("row", { name: /^Warehouse, / }).click();
    },
  },
];
