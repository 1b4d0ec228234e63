import { expect, test } from "vitest";
import { PATIENT } from "../../../../cli/doctor/relay/visit.ts";
import { RunningRelay } from "../../../relay/running-relay.ts";
import {
  examineSite,
  leftAt,
  troublesIn,
  hasProxyAddress,
  PROXY_ADDRESS,
  startSite,
} from "./faulty-site.ts";
import { soon } from "../../../sim/soon.ts";

/** A minute of silence, and what surrounds it. */
const TIMEOUT_MS = 120_000;

test.skipIf(!hasProxyAddress)(
  "[K15] a good site is well, also while a call and a WebSocket are silent for as long as they ever are (needs a second local address)",
  async () => {
    await using relay = await RunningRelay.start({ SOUNDFERRY_TRUST_PROXY: PROXY_ADDRESS });
    await using site = await startSite(relay.url);
    expect(troublesIn(await examineSite(site.url, { waits: PATIENT }))).toEqual([]);
    await soon(() => leftAt(relay)).toEqual([]);
  },
  TIMEOUT_MS,
);
