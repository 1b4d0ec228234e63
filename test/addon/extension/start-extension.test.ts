import { readdirSync, rmSync } from "node:fs";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LOAD_FROM_IMPORTER } from "../../../core/protocol/panel-api.ts";
import { openStoredSettings } from "../../../addon/state/stored-settings.ts";
import { OpenedPanel, readPanelStart } from "../../scripts/live/live-process.ts";
import { RunningRelay } from "../../relay/running-relay.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { until } from "../../sim/until.ts";
import {
  answering,
  BELOW_SELECTION,
  extensionInLive,
  extensionWithPackage,
  IMPORT,
  lastSentence,
  NEWEST,
  panelWhere,
} from "./extension-in-live.ts";

test("[H11] both commands are in the menus as soon as it has started, none of them twice", async () => {
  const live = await extensionInLive();
  for (const scope of ["Scene", "AudioTrack", "MidiTrack"] as const) {
    expect(live.ui.menuAt(scope)).toEqual([IMPORT, NEWEST]);
  }
  expect(live.ui.menuAt("ClipSlot")).toEqual([IMPORT, NEWEST, BELOW_SELECTION]);
  expect(live.ui.menuAt("ClipSlotSelection")).toEqual([BELOW_SELECTION]);
});

test("[H11] a dialog that Live refuses right after another is tried again, four times", async () => {
  const options = { live: { refusedDialogs: 4, failsOnce: /^createScene/ } };
  const { live, packageId } = await extensionWithPackage("Kit", ["Kick"], options);
  const shown = answering(live, { packageId });
  await live.clickMenu("Scene", IMPORT);
  expect(shown).toHaveLength(2);
  const refusing = await extensionInLive({ live: { refusedDialogs: 5 } });
  await refusing.clickMenu("Scene", IMPORT);
  await refusing.clickMenu("Scene", IMPORT);
  expect(refusing.ui.dialogs.map(({ width }) => width)).toEqual([760, 480]);
  expect(lastSentence(refusing)).toBe("Live couldn't open the dialog.");
});

test("[H11] a panel that asks for it is loaded from the importer, in another dialog", async () => {
  const { live, packageId } = await extensionWithPackage("Kit", ["Kick"]);
  live.ui.answerDialog = ({ url }) =>
    url.startsWith("data:") ? LOAD_FROM_IMPORTER : JSON.stringify({ packageId });
  await live.clickMenu("Scene", IMPORT);
  const [first, second] = live.ui.dialogs;
  const { address, secret } = readPanelStart(first?.url ?? "");
  expect(second).toEqual({ url: `${address}/#${secret}`, width: 760, height: 560 });
  const page = await fetch(second?.url ?? "");
  expect(page.headers.get("content-type")).toMatch(/^text\/html/);
  expect(live.look().scenes).toHaveLength(3);
});

test("[H9][N4] it starts without a relay, keeps to its folders, and suggests the build's relay", async () => {
  const elsewhere = await temporaryFolder();
  const environment = {
    SOUNDFERRY_SOUNDS: join(elsewhere, "sounds"),
    SOUNDFERRY_INBOX: join(elsewhere, "inbox"),
    SOUNDFERRY_IMPORTER_DATA: join(elsewhere, "data"),
    SOUNDFERRY_DEVICE_NAME: "Studio",
  };
  const suggestedRelayUrl = "https://relay.example";
  const live = await extensionInLive({ environment, suggestedRelayUrl });
  const shown = answering(live);
  await live.clickMenu("AudioTrack", IMPORT, { track: 1 });
  expect(shown).toHaveLength(1);
  expect(shown[0]).toMatchObject({
    isDialog: true,
    address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    secret: expect.stringMatching(/^[\w-]{40,}$/),
    state: {
      deviceName: "Studio",
      host: { name: "live", tempoBpm: 120, settings: [{ id: "correct-tempo", value: false }] },
      connection: { relayUrl: null, status: "unset", suggestedRelayUrl },
    },
  });
  expect(live.ui.dialogs[0]).toMatchObject({ width: 760, height: 560 });
  expect(readdirSync(elsewhere)).toEqual([]);
  expect(readdirSync(live.storageFolder).sort()).toEqual(["Sounds", "importer"]);
});

test("[H9] it connects to its relay in the background, before any click", async () => {
  await using relay = await RunningRelay.start();
  const environment = { SOUNDFERRY_RELAY_URL: relay.url };
  const live = await extensionInLive({ environment });
  await until(() => relay.logLines.some((line) => line.includes("/importer/register")));
  const { connection } = await panelWhere(live, (state) => state.connection.status === "connected");
  expect(connection.fixedBecause).toBe("The relay's address is set by SOUNDFERRY_RELAY_URL.");
});

test("[H9] a click shows why it couldn't start, and the next click retries", async () => {
  const folder = await temporaryFolder();
  const blocks = ["Extension Storage", "Extension Temp"].map((name) => join(folder, name));
  for (const block of blocks) await writeFile(block, "a file in its way");
  const live = await extensionInLive({ folder });
  await live.clickMenu("Scene", NEWEST);
  expect(live.ui.dialogs).toHaveLength(1);
  expect(lastSentence(live)).toMatch(/^Soundferry can't write to the folders that Live gives it: /);

  for (const block of blocks) rmSync(block);
  const shown = answering(live);
  await live.clickMenu("Scene", IMPORT);
  expect(shown).toHaveLength(1);
});

test("[H9] a wrong environment variable is shown in a sentence, with its text unescaped", async () => {
  const live = await extensionInLive({ environment: { SOUNDFERRY_RELAY_URL: "ftp://<b>&" } });
  await live.clickMenu("Scene", IMPORT);
  expect(lastSentence(live)).toContain("SOUNDFERRY_RELAY_URL must be the address of a relay");
});

test("[H6][K3] what is stored about the tempo counts, until the panel changes it", async () => {
  const folder = await temporaryFolder();
  const dataFolder = join(folder, "Extension Storage", "importer");
  openStoredSettings(dataFolder).storeSetting("SOUNDFERRY_CORRECT_TEMPO", "on");
  const live = await extensionInLive({ folder });
  const correctsTempo = (isOn: boolean) =>
    panelWhere(live, ({ host }) => host.settings[0]?.value === isOn);
  await correctsTempo(true);
  live.ui.answerDialog = async ({ url }) => {
    await new OpenedPanel(url).call("PUT", "/control/host-settings/correct-tempo", {
      value: false,
    });
    return "";
  };
  await live.clickMenu("Scene", IMPORT);
  await correctsTempo(false);
  expect(openStoredSettings(dataFolder).settings()).toEqual({ SOUNDFERRY_CORRECT_TEMPO: "off" });
});

test.each(["on", "off"])(
  "[H6] Live makes clips again where the setting says so: %s",
  async (text) => {
    const environment = { SOUNDFERRY_CORRECT_TEMPO: text };
    const live = await extensionInLive({ environment, live: { firstTempoBpm: 60 } });
    const kit = join(import.meta.dirname, "../../../fixtures/packages/half-beat-lengths");
    await cp(kit, join(live.storageFolder, "Sounds", "Inbox", "package"), { recursive: true });
    await panelWhere(live, (state) => state.packages.length > 0);
    const labels: string[] = [];
    live.onCall = ({ label }) => void labels.push(label);
    await live.clickMenu("Scene", NEWEST);
    expect(labels.some((label) => label.startsWith("tempo = "))).toBe(text === "on");
  },
);

test("[H1][H11] Import newest puts what waits right below the clicked scene, and shows no dialog", async () => {
  const { live } = await extensionWithPackage("Kit", ["Kick", "Snare"]);
  await live.clickMenu("Scene", NEWEST, { scene: 0 });
  expect(live.look().scenes).toEqual(["Intro", "Kit (Looper)", "Verse"]);
  expect(live.ui.dialogs).toEqual([]);
  expect(live.ui.progress.at(0)).toEqual({ text: "Importing from Soundferry", percent: 0 });
  expect(live.ui.progress.at(-1)?.text).toBe("2 of 2 sounds placed");
});

test("[H11] Import newest opens the dialog where nothing waits that was never imported", async () => {
  const { live } = await extensionWithPackage("Kit", ["Kick"]);
  await live.clickMenu("Scene", NEWEST);
  await panelWhere(
    live,
    ({ packages: [one] }) => one !== undefined && "status" in one && one.status === "imported",
  );
  const shown = answering(live);
  await live.clickMenu("Scene", NEWEST);
  expect(shown).toMatchObject([{ state: { packages: [{ title: "Kit" }] } }]);
  expect(live.look().scenes).toHaveLength(3);
});

test("[H1][R6][H11] a request from the dialog goes below the clicked slot; for a track it goes to the end", async () => {
  const { live, packageId } = await extensionWithPackage("Kit", ["Kick"]);
  answering(live, { packageId, sessionTempoBpm: 98 });
  await live.clickMenu("ClipSlot", IMPORT, { scene: 0, track: 0 });
  answering(live, { packageId });
  await live.clickMenu("MidiTrack", IMPORT, { track: 0 });
  const { scenes, tempoBpm } = live.look();
  expect(scenes).toEqual(["Intro", "Kit (Looper)", "Verse", "Kit (Looper)"]);
  expect(tempoBpm).toBe(98);
});

test("[H1][H11] it goes below the lowest of several slots that were clicked", async () => {
  const options = { live: { firstScenes: ["Intro", "Verse", "End"] } };
  const { live, packageId } = await extensionWithPackage("Kit", ["Kick"], options);
  live.addSceneByHand(3, "After");
  live.onCall = ({ label }) => {
    if (label.startsWith("importIntoProject")) live.addSceneByHand(4, "Later");
  };
  answering(live, { packageId });
  await live.clickMenu("ClipSlotSelection", BELOW_SELECTION, { scene: 2, track: 1 });
  expect(live.look().scenes).toEqual(["Intro", "Verse", "End", "After", "Kit (Looper)", "Later"]);
});

test("[H11][N1] an invalid answer of the dialog imports nothing", async () => {
  const { live, packageId, folder } = await extensionWithPackage("Kit", ["Kick"]);
  const requests = [null, [], { packageId: folder }, { packageId, again: "yes" }];
  const answers = [...requests.map((request) => JSON.stringify(request)), "{", "undefined"];
  for (const answer of answers) {
    live.ui.answerDialog = () => answer;
    await live.clickMenu("Scene", IMPORT);
  }
  expect(live.ui.dialogs).toHaveLength(answers.length);
  expect(live.ui.progress).toEqual([]);
  expect(live.look().scenes).toEqual(["Intro", "Verse"]);
});

test("[H7][H11] a sound that failed opens the dialog at the package's result", async () => {
  const options = { live: { failsAlways: /^createAudioClip .*Snare/ } };
  const { live, packageId } = await extensionWithPackage("Kit", ["Kick", "Snare"], options);
  const shown = answering(live);
  await live.clickMenu("Scene", NEWEST);
  expect(shown).toMatchObject([
    {
      showResultOf: packageId,
      state: { finished: [{ packageId, result: { outcome: { status: "partial" } } }] },
    },
  ]);
});

test("[R4][H11] a failed run is shown, and can be retried from there", async () => {
  const options = { live: { failsOnce: /^createScene/ } };
  const { live, packageId } = await extensionWithPackage("Kit </script>", ["Kick"], options);
  const shown = answering(live, { packageId }, { packageId, again: true });
  await live.clickMenu("Scene", IMPORT);
  expect(shown.map(({ showResultOf }) => showResultOf)).toEqual([undefined, packageId]);
  expect(live.look().scenes).toHaveLength(3);
});

test("[H11] a package that is gone by then shows a sentence", async () => {
  const live = await extensionInLive();
  const gone = `local_${"0".repeat(32)}`;
  live.ui.answerDialog = () =>
    live.ui.dialogs.length === 1 ? JSON.stringify({ packageId: gone }) : "";
  await live.clickMenu("Scene", IMPORT);
  expect(live.ui.dialogs).toHaveLength(2);
  expect(lastSentence(live)).toBe(`The inbox has no package ${gone}.`);
});

test("[H7][H11] Cancel ends it without another dialog, and leaves the Set as it was", async () => {
  const { live } = await extensionWithPackage("Kit", ["Kick", "Snare"]);
  live.onCall = ({ label }) => {
    if (label.startsWith("createAudioTrack")) live.ui.cancel();
  };
  await live.clickMenu("Scene", NEWEST);
  expect(live.ui.progress.length).toBeGreaterThan(0);
  expect(live.ui.dialogs).toEqual([]);
  expect(live.look().scenes).toEqual(["Intro", "Verse"]);
});

test("[H11] the panel in the dialog gets Live's language, if Live says one", async () => {
  for (const [language, told] of [
    ["de", { language: "de" }],
    [7, {}],
    ["", {}],
    [undefined, {}],
  ]) {
    const live = await extensionInLive({ live: { language } });
    const shown = answering(live);
    await live.clickMenu("Scene", IMPORT);
    const { isDialog, language: known } = shown[0] ?? {};
    expect({ isDialog, ...(known !== undefined && { language: known }) }).toEqual({
      isDialog: true,
      ...(told as object),
    });
  }
});

test("[R10][H11] sounds that are chosen in the dialog are imported, and no others", async () => {
  const { live, packageId } = await extensionWithPackage("Kit", ["Kick", "Snare", "Hat"]);
  const shown = answering(live, { packageId, soundIds: ["1", "3"] });
  await live.clickMenu("Scene", IMPORT);
  const names = live.look().tracks.map(({ name }) => name);
  expect(names.filter((name) => name.endsWith("(Looper)"))).toEqual([
    "Kick (Looper)",
    "Hat (Looper)",
  ]);
  expect(shown).toHaveLength(2);
  expect(shown[1]?.state?.finished[0]).toMatchObject({
    soundIds: ["1", "3"],
    result: { outcome: { status: "partial" } },
  });
});
