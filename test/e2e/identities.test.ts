import { expect, onTestFinished, test } from "vitest";
import { openStoredSettings } from "../../addon/state/stored-settings.ts";
import { importerAtWork } from "../addon/importer-at-work.ts";
import { RunningRelay } from "../relay/running-relay.ts";

test("[P9][Z1] an identity belongs to the instance that the relay names in hello", async () => {
  const relay = await RunningRelay.start({});
  onTestFinished(() => relay[Symbol.asyncDispose]());
  const { importer, settings } = await importerAtWork(relay.url);
  await importer.apps();
  const { json } = await relay.call("GET", "/importer/hello");
  expect(json.instance).toMatch(/^.{8,}$/);
  expect(openStoredSettings(settings.dataFolder).identities()).toMatchObject([
    { relayUrl: relay.url, instance: json.instance },
  ]);
});
