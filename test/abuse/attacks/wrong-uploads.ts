import { smallWav } from "../../wav-bytes.ts";
import type { Attack, Outcome, Stage } from "../attack.ts";
import { countOf, httpCall, inParallel, patiently } from "../http-call.ts";
import { announce, expectStatus, manifest, pairUp, siteAddress } from "../strangers.ts";

const SOUND = smallWav({ frames: 2_000_000 });
const UPLOADS = 40;

/** A13: a sound whose checksum is wrong, sent again and again. */
export const wrongUploads: Attack = {
  name: "A13",
  title: "uploading a sound with a wrong checksum again and again",
  promise:
    "Refused uploads have a price: one app gets 16 MiB of them read a minute, and those that run then.",
  run: uploadWrong,
};

async function uploadWrong(stage: Stage): Promise<Outcome> {
  await using relay = await stage.openRelay();
  const app = await pairUp(relay, siteAddress(1));
  const honest = await pairUp(relay, siteAddress(2));
  const announced = await announce(relay, app, manifest(1, SOUND.byteLength));
  const id = String(expectStatus(announced, 201).json["package_id"]);
  const { appToken: token, from } = app;
  const path = `/packages/${id}/files/sound-1.wav`;
  const answers = await inParallel(UPLOADS, 2, () =>
    httpCall(relay, { method: "PUT", path, token, from, body: SOUND }),
  );
  const others = await patiently(() => announce(relay, honest), { withinMs: 5000 });
  const refused = countOf(answers, 422);
  return {
    what: "uploads of 4 MB",
    offered: answers.length,
    leastOffered: UPLOADS,
    accepted: refused,
    measures: [
      {
        name: "refused after they were read",
        value: (refused * SOUND.byteLength) / 1e6,
        unit: "MB",
        atMost: 32,
      },
      {
        name: "honest announcements meanwhile",
        value: countOf([others], 201),
        unit: "packages",
        atLeast: 1,
      },
    ],
  };
}
