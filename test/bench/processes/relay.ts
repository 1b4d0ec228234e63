import { keepYoungMemorySmall } from "../../../cli/young-memory.ts";
import { readRelaySettings } from "../../../relay/settings.ts";
import { answerCalls } from "./answer-calls.ts";

/** No limit is off: each still counts, and only its threshold is higher. */
const RAISED = {
  SOUNDFERRY_CALLS_PER_MINUTE: "100000000",
  SOUNDFERRY_PACKAGES_PER_HOUR: "100000",
  SOUNDFERRY_BYTES_PER_DEVICE: "1000000000000",
  SOUNDFERRY_BYTES_PER_ADDRESS_PER_DAY: "1000000000000",
  SOUNDFERRY_UPLOADS_PER_DEVICE: "32",
  SOUNDFERRY_UPLOADS_PER_PAIRING: "32",
  SOUNDFERRY_MIN_FREE_BYTES: "0",
  SOUNDFERRY_REGISTRATIONS_PER_ADDRESS_PER_DAY: "1000000",
  SOUNDFERRY_REGISTRATIONS_PER_DAY: "1000000",
  SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "1000000",
  SOUNDFERRY_MAX_CONNECTIONS: "20000",
  SOUNDFERRY_MAX_SOCKETS: "16000",
};

export interface RelayStart {
  readonly dataFolder: string;
  /** A free one unless set. */
  readonly port?: number;
  /** More settings, such as those of PostgreSQL and S3. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The relay as shipped, on its own data folder unless the settings say otherwise. */
export const relayCalls = {
  start: async ({ dataFolder, port = 0, settings = {} }: RelayStart) => {
    const place = { SOUNDFERRY_PORT: String(port), SOUNDFERRY_DATA: dataFolder };
    const flags = { ...RAISED, ...place, ...settings };
    const { buildRelay } = await import("../../../relay/build-relay.ts");
    const relay = await buildRelay(readRelaySettings({ flags, environment: {} }));
    return relay.listen();
  },
};
export type RelayCalls = typeof relayCalls;

// As the command line does before it starts a relay.
keepYoungMemorySmall();
answerCalls(relayCalls);
