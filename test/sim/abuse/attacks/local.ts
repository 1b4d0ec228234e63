import { countOf, httpCall, inParallel } from "../../http-call.ts";
import { HeldConnections, settled, waitingOf } from "../../held-connections.ts";
import { Stranger } from "../../stranger.ts";
import { type Attack, atLeast, atMost } from "../attack.ts";

// What a web page reaches at the relay on this computer.

const CLAIMS = 60;

/** A web page that claims wrong codes at the relay on this computer. */
export const webPage: Attack = {
  name: "A8",
  isLocal: true,
  title: "a web page that posts wrong claims to the relay on this computer",
  promise:
    "Its claims never use up those of the programs on this computer: the user's own claim pairs at once.",
  run: async (stage) => {
    await using relay = await stage.openRelay({ isBehindProxy: false });
    const user = await Stranger.register(relay);
    const code = await user.makeCode();
    const headers = { origin: "https://evil.example" };
    const answers = await inParallel(CLAIMS, 4, () => user.claim("222222", { headers }));
    const own = countOf([await user.claim(code)], 200);
    const lookedUp = countOf(answers, 404);
    return {
      what: "wrong claims of a page",
      offered: answers.length,
      leastOffered: CLAIMS,
      accepted: lookedUp,
      measures: [
        atLeast(1, ["the user's own claims that paired", own, "apps"]),
        atMost(10, ["claims of the page that were looked up", lookedUp, "claims"]),
      ],
    };
  },
};

const NAMES = [
  "evil.example",
  "evil.example:4700",
  "127.0.0.1.evil.example",
  "localhost.evil.example",
];
const CALLS = [
  "GET /importer/hello",
  "POST /importer/register",
  "POST /pair/claim",
  "OPTIONS /packages",
  "GET /docs",
  "GET /no/such/path",
];

/** A web page whose name was pointed to this computer (DNS rebinding) tries to reach it. */
export const foreignHosts: Attack = {
  name: "A9",
  isLocal: true,
  title: "calls under another host's name (DNS rebinding)",
  promise:
    "A relay on the loopback refuses every call, socket and metrics request under another host's name with 421.",
  run: async (stage) => {
    const settings = { SOUNDFERRY_METRICS_PORT: "0" };
    await using relay = await stage.openRelay({ isBehindProxy: false, settings });
    const { metricsUrl } = relay;
    if (metricsUrl === undefined) throw new Error("The relay has no metrics listener.");
    const user = await Stranger.register(relay);
    using upgrades = new HeldConnections(relay);
    const answers = await inParallel(NAMES.length, 4, async (index) => {
      const headers = { host: NAMES[index] as string };
      const calls = CALLS.map((call) => {
        const [method = "", path = ""] = call.split(" ");
        return httpCall(relay, { method, path, headers });
      });
      const socket = await upgrades.hold(user, {
        line: "GET /importer/socket",
        as: "importer",
        isSocket: true,
        headers: { Host: NAMES[index] },
      });
      await settled(() => waitingOf([socket]), 0);
      const metrics = httpCall({ url: metricsUrl }, { path: "", headers });
      return [...(await Promise.all([...calls, metrics])), socket];
    });
    const statuses = answers.flat().map(({ status }) => status);
    const accepted = statuses.filter((status) => status !== 421).length;
    const own = countOf([await httpCall(relay, { path: "/importer/hello" })], 200);
    return {
      what: "calls as another host",
      offered: statuses.length,
      leastOffered: (CALLS.length + 2) * NAMES.length,
      accepted,
      measures: [
        atMost(0, ["answered under another name", accepted, "calls"]),
        atLeast(1, ["calls under the relay's own name", own, "calls"]),
      ],
    };
  },
};
