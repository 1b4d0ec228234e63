import { buildRelay } from "../../relay/build-relay.ts";
import { readRelaySettings } from "../../relay/settings.ts";
import { whenTold } from "./when-told.ts";

// A relay in a separate process, to be killed. Prints its address once it serves.

await whenTold();
const relay = await buildRelay(readRelaySettings({ environment: process.env }));
const { url } = await relay.listen();
process.stdout.write(`${url}\n`);
