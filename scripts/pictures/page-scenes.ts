import { Buffer } from "node:buffer";
import { join } from "node:path";
import type { Page } from "playwright-core";

/** The origin of the page in the pictures. */
export const RELAY_URL = "https://relay.example";

/** The answers of a picture's relay, by method and path; other calls get no answer. */
export type CannedAnswers = Readonly<
  Record<string, { readonly status: number; readonly body: object }>
>;

/** One state of the relay's page. */
export interface PageScene {
  readonly name: string;
  /** What the browser has stored for the page. */
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

const SOUNDS = [
  "drum-loops-90-126-174/warehouse-126.wav",
  "bass-lines/acid-runner.wav",
  "one-shot-kit/clap-room.wav",
];

async function describeSounds(page: Page): Promise<void> {
  const files = page.getByLabel("Sound files");
  await files.setInputFiles(SOUNDS.map((sound) => join(FIXTURES, sound)));
  const noSound = Buffer.from("no sound");
  await files.setInputFiles({ name: "cover.jpg", mimeType: "image/jpeg", buffer: noSound });
  await page.getByText("cover.jpg").waitFor();
  await page.getByRole("textbox", { name: "Name of sound 3" }).waitFor();
  await page.getByRole("textbox", { name: "Scene title" }).fill("Warehouse Sketch");
  await page.getByRole("combobox", { name: "Role of clap-room" }).selectOption("Drums");
  await page.getByRole("textbox", { name: "Gain, dB of clap-room" }).fill("-3");
  await page.getByLabel("Colour of clap-room").fill("#ff9d5c");
  await page.getByRole("button", { name: "Yes, warehouse-126 is such a loop" }).click();
  await page.getByRole("combobox", { name: "Role of warehouse-126" }).selectOption("Drums");
  await page.waitForFunction('document.querySelectorAll(".outline .shape").length === 3');
}

/** A package as the page stores it, and as the relay answers for it. */
function sentNote(packageId: string, title: string, names: readonly string[]) {
  const sounds = names.map((name, index) => ({ id: `sound-${index + 1}`, name }));
  const [{ token = "" } = {}, { deviceName: computerName = "" } = {}] = [
    COMPUTERS[0],
    COMPUTERS[0],
  ];
  return { packageId, pairingKey: token.slice(-8), title, computerName, sounds, warnings: [] };
}

/** Every state of the page that has a picture. */
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
    name: "page-cut",
    stored: { "soundferry.pairings": COMPUTERS.slice(0, 1) },
    answers: {},
    act: async (page) => {
      await describeSounds(page);
      await page.getByRole("button", { name: "Send to Studio" }).click();
      await page.getByRole("alert").waitFor();
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
      await page.getByText("2 of 3 sounds imported", { exact: true }).waitFor();
    },
  },
];
