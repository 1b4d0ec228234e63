import { describe, expect, test } from "vitest";
import {
  byGroup,
  inGroup,
  isInjected,
  onOrOff,
  parseRegistrationKey,
  readSettings,
  registrationKey,
  secret,
  wholeNumber,
} from "../../core/settings.ts";

/** Reads one setting; a wrong value throws its sentence. */
function read(setting: Parameters<typeof readSettings>[0][string], text: string): unknown {
  return readSettings({ value: setting }, [{ [setting.variable]: text }]).value;
}

describe("[K3] a setting that is on or off", () => {
  const setting = onOrOff("SOUNDFERRY_LOG", true, "Whether.");

  test("is one of the two words", () => {
    expect([read(setting, "on"), read(setting, "off")]).toEqual([true, false]);
    for (const text of ["ON", "true", "1"]) {
      expect(() => read(setting, text)).toThrow(`SOUNDFERRY_LOG must be on or off, not "${text}".`);
    }
  });

  test("shows its default as a word", () => {
    expect(setting).toMatchObject({
      variable: "SOUNDFERRY_LOG",
      fallback: true,
      meaning: "Whether.",
    });
    const texts = [true, false].map((fallback) => onOrOff("X", fallback, "Whether.").fallbackText);
    expect(texts).toEqual(["on", "off"]);
  });
});

test("[K3] a whole number says its bounds", () => {
  expect(wholeNumber("X", 1, "A number.", { min: 0, max: 9 }).bounds).toEqual({ min: 0, max: 9 });
});

test("[K3] settings are listed by group, in the order of the groups, and those without one last", () => {
  const alone = wholeNumber("SOUNDFERRY_ALONE", 1, "A number.");
  const { disk, more } = inGroup("Disk", { disk: wholeNumber("D", 2, ""), more: alone });
  const { live } = inGroup("Live", { live: wholeNumber("L", 3, "") });
  expect(disk).toMatchObject({ variable: "D", fallback: 2, group: "Disk" });
  expect(alone).not.toHaveProperty("group");
  expect(byGroup([alone, disk, more, live])).toEqual([live, disk, more, alone]);
});

describe("[K3] a value that a container platform sets", () => {
  test("is an address of TCP, UDP or SCTP", () => {
    const texts = ["tcp://10.0.0.1:80", "UDP://x", "sctp://x", "http://x", "x tcp://y", "tcp:/x"];
    expect(texts.map(isInjected)).toEqual([true, true, true, false, false, false]);
  });

  test("is explained", () => {
    const port = wholeNumber("SOUNDFERRY_PORT", 1, "The port.");
    expect(() => read(port, "tcp://10.0.0.1:80")).toThrow(
      'not "tcp://10.0.0.1:80". A container platform sets that for a service of the same name. ' +
        "Set the variable yourself, rename the service, or set enableServiceLinks: false.",
    );
  });
});

describe("[K12] a registration key", () => {
  const words = "must be plain letters, digits and signs, without spaces.";

  test("has only characters that a header can have, and the error doesn't show it", () => {
    expect(parseRegistrationKey("!sesame~")).toBe("!sesame~");
    for (const key of ["two words", "sésame", "a\nb", "a\u007f"]) {
      expect(() => parseRegistrationKey(key)).toThrow(words);
    }
  });

  const files: Readonly<Record<string, string>> = {
    "/key": "sesame\n",
    "/windows": "sesame\r\n",
    "/marked": "\uFEFFsesame\r\n",
    "/bare": "sesame",
    "/empty": "\n",
    "/nothing": "",
    "/two": "sesame\n\n",
    "/first": "\nsesame",
  };
  const missing = new Error("ENOENT");
  const { keyFile: setting } = secret("key", registrationKey("Key."), (path) => {
    const text = files[path];
    if (text === undefined) throw missing;
    return text;
  });

  test("can come from a file, whose line break at the end doesn't count", () => {
    expect(setting.variable).toBe("SOUNDFERRY_REGISTRATION_KEY_FILE");
    expect(setting.meaning).toBe("File with SOUNDFERRY_REGISTRATION_KEY, in place of it.");
    expect(["/key", "/windows", "/bare", "/marked"].map((path) => setting.read(path))).toEqual(
      Array.from({ length: 4 }, () => "sesame"),
    );
  });

  test.each([
    ["/empty", "names an empty file: /empty."],
    ["/nothing", "names an empty file: /nothing."],
    ["/two", "names a file whose content must be plain letters"],
    ["/first", "names a file whose content must be plain letters"],
  ])("in the file %s is refused", (path, sentence) => {
    expect(() => setting.read(path)).toThrow(sentence);
  });

  test("has the cause of the refusal with it", () => {
    expect(() => setting.read("/two")).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ message: words }) }),
    );
    expect(() => setting.read("/gone")).toThrow(
      expect.objectContaining({
        message: "names a file that can't be read: /gone.",
        cause: missing,
      }),
    );
  });
});
