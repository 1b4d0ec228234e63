import { waitingLeft } from "../../../../core/quotas/room-shares.ts";
import {
  MAX_PACKAGE_BYTES,
  MAX_SAMPLE_RATE_HZ,
  MAX_SOUNDS,
  RELAY_DEFAULTS,
} from "../../../../core/limits.ts";
import { MISMATCHING_OFFSET } from "../../../../core/protocol/upload-draft.ts";
import type {
  AnnounceAnswer,
  ClaimAnswer,
  ClaimRequest,
  MeAnswer,
  OwnPackagesAnswer,
  StatusAnswer,
  UploadAnswer,
} from "../../../../core/protocol/public-api.ts";
import type {
  AppsAnswer,
  HelloAnswer,
  ImportablePackage,
  PackagesAnswer,
  PairingCodeAnswer,
  PairingRequestAnswer,
  RegisterAnswer,
  TakeAnswer,
} from "../../../../core/protocol/importer-api.ts";
import type { SoundResults } from "../../../../core/protocol/package-status.ts";
import { nameSound, Refusal } from "../../../../core/protocol/refusal.ts";
import { type RefusalCode, REFUSALS } from "../../../../core/protocol/refusals.ts";
import { fillSentence } from "../../../../core/text/sentence-of.ts";
import { JSON_SIZE } from "../../../../core/text/format-limit.ts";
import { timeText } from "../../../../core/time.ts";
import { VERSION } from "../../../../core/version.ts";

// Every example in the contract is part of one story: Looper sends a kick to the computer Studio.

const PACKAGE_ID = "pkg_yJg0mpfYCM_RySXw6fwDzA";
const SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const NOON = Date.UTC(2026, 0, 31, 12);
const SOON = expiry(NOON, RELAY_DEFAULTS.uploadWindowSeconds);
const TOMORROW = expiry(NOON + 9000, RELAY_DEFAULTS.waitWindowSeconds);

export const CLAIM: ClaimRequest = {
  code: "K7M Q2X",
  app_name: "Looper",
  app_id: "2f1c0c5e-installation",
};
export const CLAIMED: ClaimAnswer = { app_token: "sfa_EXAMPLE", device_name: "Studio" };
export const ME: MeAnswer = {
  device_name: "Studio",
  app_name: "Looper",
  paired_at: "2026-01-31T11:59:00.000Z",
  room: {
    bytes_left: 2 * MAX_PACKAGE_BYTES,
    waiting_left: waitingLeft(RELAY_DEFAULTS.waitingPackagesPerDevice, {
      waitingPackages: 0,
      others: [],
    }),
    package_bytes_max: MAX_PACKAGE_BYTES,
  },
};

const KIT = {
  title: "Kitchen Kit",
  source: { app: "Looper", app_version: "1.2", platform: "web" },
  tempo: { bpm: 120 },
  items: [
    {
      file: "kick.wav",
      bytes: 176_444,
      sha256: SHA256,
      id: "kick",
      name: "Kick",
      kind: "loop",
      role: "drums",
      length_beats: 4,
    },
  ],
} as const;
export const MANIFEST = { schema: "app2host/1", ...KIT } as const;
export const ANNOUNCED: AnnounceAnswer = {
  package_id: PACKAGE_ID,
  upload: { "kick.wav": `/packages/${PACKAGE_ID}/files/kick.wav` },
  warnings: [],
  ...SOON,
};
export const UPLOADED: UploadAnswer = { file: "kick.wav", bytes: 176_444, sha256: SHA256 };
export const WAITING: StatusAnswer = {
  package_id: PACKAGE_ID,
  title: "Kitchen Kit",
  status: "waiting",
  created_at: "2026-01-31T12:00:00.000Z",
  ...TOMORROW,
  files: { "kick.wav": "uploaded" },
};
export const OWN_PACKAGES: OwnPackagesAnswer = {
  packages: [
    {
      package_id: PACKAGE_ID,
      title: "Kitchen Kit",
      status: "waiting",
      taken: true,
      created_at: "2026-01-31T12:00:00.000Z",
      ...TOMORROW,
    },
  ],
  next: null,
};
export const RESULTS: SoundResults = {
  kick: {
    status: "imported",
    track: "Kick (Looper)",
    file: "Kick.wav",
    path: "Kitchen Kit/Kick.wav",
  },
};
export const IMPORTED: StatusAnswer = { ...WAITING, status: "imported", results: RESULTS };

export const HELLO: HelloAnswer = {
  service: "soundferry",
  version: VERSION,
  importer_api: [1, 2],
  now: "2026-01-31T12:00:00.000Z",
  instance: "ins_EXAMPLE",
};
export const REGISTERED: RegisterAnswer = {
  device_id: "dev_EXAMPLE",
  importer_token: "sfi_EXAMPLE",
};
export const PAIRING_CODE: PairingCodeAnswer = {
  code: "K7MQ2X",
  ...expiry(NOON, RELAY_DEFAULTS.pairingCodeTtlSeconds),
};
export const PAIRING_REQUEST = {
  request: {
    request_id: "req_7yQ2vT0cXb9LkWm4NdRfAg",
    app_name: "Looper",
    network: "203.0.113.0/24",
    ...expiry(NOON, RELAY_DEFAULTS.pairingCodeTtlSeconds),
  },
} satisfies PairingRequestAnswer;
export const APPS: AppsAnswer = {
  apps: [
    {
      pairing_id: "pair_EXAMPLE",
      app_name: "Looper",
      paired_at: "2026-01-31T11:59:00.000Z",
      last_seen_at: "2026-01-31T12:00:00.000Z",
      waiting_packages: 2,
    },
  ],
};
export const PACKAGE: ImportablePackage = {
  package_id: PACKAGE_ID,
  version: 3,
  status: "waiting",
  app_name: "Looper",
  manifest: { schema: MANIFEST.schema, package_id: PACKAGE_ID, ...KIT },
  files: { "kick.wav": `/importer/packages/${PACKAGE_ID}/files/kick.wav` },
  taken: false,
  created_at: "2026-01-31T12:00:00.000Z",
  committed_at: "2026-01-31T12:00:09.000Z",
  ...TOMORROW,
};
export const PACKAGES: PackagesAnswer = { packages: [PACKAGE], next: null };
export const IMPORTED_PACKAGE: ImportablePackage = {
  ...PACKAGE,
  version: 5,
  status: "imported",
  results: RESULTS,
};
export const TAKEN: TakeAnswer = expiry(NOON, RELAY_DEFAULTS.leaseSeconds);

const WORDS = {
  announced: "176444",
  app: "Looper",
  bits: "64",
  channels: "6",
  codec: "MP3",
  container: "RF64",
  encoding: "gzip",
  expected: "4",
  count: String(MAX_SOUNDS + 1),
  file: "kick.wav",
  files: "kick.wav",
  got: "9",
  id: "snare",
  max: String(RELAY_DEFAULTS.uploadsPerDevice),
  method: "PATCH",
  minutes: "5",
  offset: "88222",
  position: "1",
  rate: String(2 * MAX_SAMPLE_RATE_HZ),
  schema: "app2host/2",
  seconds: "12",
  size: "176444",
  sound: 'Sound 1 "Kick"',
  wait: "3 h",
};

const WORDS_OF: Partial<Record<RefusalCode, Partial<typeof WORDS>>> = {
  BODY_TOO_LARGE: { max: JSON_SIZE },
  PACKAGES_TOO_MANY: { max: String(RELAY_DEFAULTS.packagesPerHour) },
  FILE_UNKNOWN: { file: "snare.wav" },
  WAV_BITS_UNSUPPORTED: { bits: "20" },
};

const BODY_OF: Partial<Record<RefusalCode, Readonly<Record<string, unknown>>>> = {
  FILES_MISSING: { missing: ["kick.wav"] },
  RUN_ELSEWHERE: { expires_in: 12 },
  UPLOAD_OFFSET_DIFFERS: {
    type: MISMATCHING_OFFSET,
    "expected-offset": 88_222,
    "provided-offset": 0,
  },
  IMPORTER_TOO_OLD: { importer_api: [1, 2] },
};

/** An example of a refusal; what it says of a sound is about the kick. */
export function refusedSample(code: RefusalCode): Refusal {
  const words = { ...WORDS, ...WORDS_OF[code] };
  const sentence = fillSentence(REFUSALS[code].sentence, new Map(Object.entries(words)));
  const body = BODY_OF[code];
  const refused = new Refusal(code, sentence, body && { body });
  return nameSound(refused, PACKAGE.manifest.items, words.file);
}

function expiry(from: number, seconds: number): { expires_at: string; expires_in: number } {
  return { expires_at: timeText(from + seconds * 1000), expires_in: seconds };
}
