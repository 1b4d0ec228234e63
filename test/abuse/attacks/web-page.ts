import type { Attack, Outcome, Stage } from "../attack.ts";
import { countOf, inParallel } from "../http-call.ts";
import { claim, makeCode, register } from "../strangers.ts";

const CLAIMS = 60;

/** A8: a web page that claims wrong codes at the relay on this computer. */
export const webPage: Attack = {
  name: "A8",
  isLocal: true,
  title: "a web page that posts wrong claims to the relay on this computer",
  promise:
    "Its claims never use up those of the programs on this computer: the user's own claim pairs at once.",
  run: async (stage: Stage): Promise<Outcome> => {
    await using relay = await stage.openRelay({ isBehindProxy: false });
    const { importerToken } = await register(relay);
    const code = await makeCode(relay, importerToken);
    const headers = { origin: "https://evil.example" };
    const answers = await inParallel(CLAIMS, 4, () =>
      claim(relay, "222222", undefined, { headers }),
    );
    const own = await claim(relay, code);
    return {
      what: "wrong claims of a page",
      offered: answers.length,
      leastOffered: CLAIMS,
      accepted: countOf(answers, 404),
      measures: [
        {
          name: "the user's own claims that paired",
          value: countOf([own], 200),
          unit: "apps",
          atLeast: 1,
        },
        {
          name: "claims of the page that were looked up",
          value: countOf(answers, 404),
          unit: "claims",
          atMost: 10,
        },
      ],
    };
  },
};
