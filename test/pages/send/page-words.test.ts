import { expect, test } from "vitest";
import { codeOfAddress } from "../../../client/pairing/pairing-link.ts";
import { formatRoute, relayOfPage } from "../../../pages/send/pairing/format-route.ts";
import { formatProgress } from "../../../client/send/words/format-status.ts";
import { inEnglish } from "../../../core/messages/translate.ts";
import { inOrder, isSoundFile } from "../../../pages/send/sounds/sound-files.ts";
import { BEATS, BPM, GAIN, readNumber } from "../../../pages/send/sounds/read-number.ts";

test("[G2] reads the code after #code= in any spelling", () => {
  expect(codeOfAddress("#code=K7MQ2X")).toBe("K7MQ2X");
  expect(codeOfAddress("#code=K7M%20Q2X&from=qr")).toBe("K7M Q2X");
  expect(["", "#", "#code=", "#other=1"].map(codeOfAddress)).toEqual([null, null, null, null]);
});

test("[G1] the relay is where the page came from, under a path too, unless the page names one", () => {
  expect(relayOfPage("", "https://relay.example/")).toBe("https://relay.example");
  expect(relayOfPage("", "https://example.org/ferry/?a=1#b")).toBe("https://example.org/ferry");
  expect(relayOfPage("http://127.0.0.1:4700", "https://app.example/")).toBe(
    "http://127.0.0.1:4700",
  );
});

test("[G8] says what the browser may ask, who could listen in, and what browsers block", () => {
  const own = "https://relay.example";
  expect(formatRoute(`${own}/`, own)).toEqual([]);
  expect(formatRoute("http://127.0.0.1:4700/", "http://127.0.0.1:4700")).toEqual([]);
  const plain = formatRoute("http://192.168.1.5:4700/", "http://192.168.1.5:4700");
  expect(plain).toEqual([expect.stringContaining("plain http")]);
  const local = formatRoute("https://app.example/", "http://127.0.0.1:4700");
  expect(local).toEqual([expect.stringContaining("on this computer (127.0.0.1:4700)")]);
  for (const host of ["10.0.0.2", "172.20.1.1", "relay.local", "nas", "[fd12::1]"]) {
    const [sentence] = formatRoute("https://app.example/", `https://${host}`);
    expect(sentence).toContain("in your own network");
  }
  const mixed = formatRoute("https://app.example/", "http://relay.example");
  expect(mixed).toEqual([expect.stringContaining("Open http://relay.example/ instead")]);
});

test("[G3] reads numbers as people type them, and reports invalid ones", () => {
  expect(readNumber(" 126,5 ", BPM)).toBe(126.5);
  expect(readNumber("−3.5", GAIN)).toBe(-3.5);
  expect(readNumber("", BEATS)).toBeUndefined();
  for (const wrong of ["19", "1000", "1e3", "fast", "0x80", "-", "."]) {
    expect(readNumber(wrong, BPM)).toBe("A tempo is a number from 20 to 999.");
  }
  expect(readNumber("0", BEATS)).toContain("above 0");
  expect(readNumber("25", GAIN)).toBe("A gain is a number of dB from −70 to 24.");
});

test("[G4] skips a folder's other files, and sorts files by number", () => {
  const names = ["Kick.wav", "cover.jpg", ".hidden.wav", "Set.als", "pad.FLAC", "wav"];
  expect(names.filter(isSoundFile)).toEqual(["Kick.wav", "pad.FLAC"]);
  const files = ["Loop 10.wav", "Loop 9.wav", "loop 1.wav"].map((name) => ({
    file: new File([], name),
    folderName: null,
  }));
  expect(inOrder(files).map(({ file }) => file.name)).toEqual([
    "loop 1.wav",
    "Loop 9.wav",
    "Loop 10.wav",
  ]);
});

test("[G5] progress says how much was sent, and that the relay still has to answer", () => {
  const at = (phase: "hashing" | "uploading", doneBytes: number) =>
    formatProgress(inEnglish, {
      phase,
      file: "a.wav",
      fileBytes: 0,
      doneBytes,
      totalBytes: 2_000_000,
    });
  expect(at("hashing", 1_000_000)).toEqual({ words: "Preparing: 1 MB of 2 MB", part: 0.5 });
  expect(at("uploading", 500_000)).toEqual({ words: "Sending: 500 kB of 2 MB", part: 0.25 });
  expect(at("uploading", 2_000_000).words).toBe("Finishing…");
});
