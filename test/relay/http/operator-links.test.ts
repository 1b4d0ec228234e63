import { expect, onTestFinished, test } from "vitest";
import { readRelaySettings } from "../../../relay/settings.ts";
import { RunningRelay } from "../running-relay.ts";

const SETTINGS = {
  SOUNDFERRY_OPERATOR_NAME: "Studio Süd",
  SOUNDFERRY_OPERATOR_CONTACT: "hello@example.com",
  SOUNDFERRY_OPERATOR_PRIVACY_URL: "https://example.com/privacy",
  SOUNDFERRY_OPERATOR_ABUSE_URL: "mailto:abuse@example.com",
};
const PAGE = "<!doctype html><html><head></head><body></body></html>";

async function relayOf(settings: Record<string, string>): Promise<RunningRelay> {
  const relay = await RunningRelay.start(settings, { pages: { home: async () => PAGE } });
  onTestFinished(() => relay[Symbol.asyncDispose]());
  return relay;
}

test("[O10] the page, /llms.txt and the contract say who runs the relay, and nothing where nothing is set", async () => {
  const [said, silent] = [await relayOf(SETTINGS), await relayOf({})];
  const page = await said.call("GET", "/");
  expect(page.text).toContain('<span>Run by Studio Süd</span><a href="mailto:hello@example.com">');
  expect(page.text).toContain('<a href="https://example.com/privacy" target="_blank"');
  expect(page.headers.get("content-security-policy")).toMatch(/style-src 'sha256-[^ ;]+';/);
  expect((await silent.call("GET", "/")).text).toBe(PAGE);

  const text = async (relay: RunningRelay) => (await relay.call("GET", "/llms.txt")).text;
  const own = await text(said);
  expect(own.slice((await text(silent)).length)).toBe(
    "\n## Operator\n\n- Studio Süd\n- Contact: <mailto:hello@example.com>\n" +
      "- Privacy: <https://example.com/privacy>\n- Report abuse: <mailto:abuse@example.com>\n",
  );

  const info = async (relay: RunningRelay) => (await relay.call("GET", "/openapi.json")).json.info;
  expect((await info(said)).contact).toEqual({ email: "hello@example.com" });
  expect(await info(silent)).not.toHaveProperty("contact");
  const linked = await relayOf({ SOUNDFERRY_OPERATOR_CONTACT: "https://example.com/us" });
  expect((await info(linked)).contact).toEqual({ url: "https://example.com/us" });
});

test.each([
  "javascript:alert(1)",
  "JavaScript:alert(1)//@example.com",
  "data:text/html,x",
  "http://example.com",
  "https://user:secret@example.com",
  "mailto:a@example.com?subject=x&bcc=b@example.com",
  "a@example.com,b@example.com",
  "a b@example.com",
  "example.com",
  "https://",
  `https://example.com/${"a".repeat(1000)}`,
])("[O10] %s is no link that people are sent to", (value) => {
  for (const variable of Object.keys(SETTINGS).filter(
    (name) => name !== "SOUNDFERRY_OPERATOR_NAME",
  )) {
    expect(() => readRelaySettings({ environment: { [variable]: value } })).toThrow(
      `${variable} must be an https address or a mail address`,
    );
  }
});

test("[O10] characters that could end an attribute or a link are encoded", () => {
  const environment = {
    SOUNDFERRY_OPERATOR_ABUSE_URL: ' https://example.com/"><script>x</script>\n',
  };
  expect(readRelaySettings({ environment }).operatorAbuse).toBe(
    "https://example.com/%22%3E%3Cscript%3Ex%3C/script%3E",
  );
});

test.each(["\u202Egnp.eht", "two\nlines", "\u0000", " ", "x".repeat(81)])(
  "[O10] %j is no name that people can read",
  (value) => {
    const environment = { SOUNDFERRY_OPERATOR_NAME: value };
    expect(() => readRelaySettings({ environment })).toThrow(
      "SOUNDFERRY_OPERATOR_NAME must be a name of at most 80 characters",
    );
  },
);
