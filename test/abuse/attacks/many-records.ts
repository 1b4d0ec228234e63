import type { Attack, Outcome, Stage } from "../attack.ts";
import { countOf, inParallel, patiently } from "../http-call.ts";
import { announce, pairApp, pairUp, siteAddress } from "../strangers.ts";

const APPS = 40;
/** As many as one app may announce an hour. */
const PER_APP = 30;
const PER_COMPUTER = 32 * PER_APP;

/** A15: packages of ever new apps, which a stranger pairs with a computer of his own. */
export const manyRecords: Attack = {
  name: "A15",
  title: "announcing with one app after the other",
  promise:
    "A computer's apps announce 32 times what one app may, however many it pairs: records stay for days.",
  run: announceWithMany,
};

async function announceWithMany(stage: Stage): Promise<Outcome> {
  await using relay = await stage.openRelay();
  const computer = await pairUp(relay, siteAddress(1));
  const honest = await pairUp(relay, siteAddress(2));
  const tokens = await inParallel(APPS, 1, (index) =>
    pairApp(relay, computer.importerToken, siteAddress(10 + index), `app-${index}`),
  );
  const answers = await inParallel(APPS * PER_APP, 16, (index) => {
    const appToken = tokens[index % APPS] ?? "";
    return announce(relay, { ...computer, appToken });
  });
  const others = await patiently(() => announce(relay, honest), { withinMs: 5000 });
  return {
    what: "announcements",
    offered: answers.length,
    leastOffered: APPS * PER_APP,
    accepted: countOf(answers, 201),
    measures: [
      {
        name: "packages of one computer in an hour",
        value: countOf(answers, 201),
        unit: "packages",
        atMost: PER_COMPUTER,
      },
      {
        name: "honest announcements meanwhile",
        value: countOf([others], 201),
        unit: "calls",
        atLeast: 1,
      },
    ],
  };
}
