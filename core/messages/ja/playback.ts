import type { Translated } from "../message.ts";
import type { PLAYBACK as ENGLISH } from "../en/playback.ts";

/** In Japanese. */
export const PLAYBACK: Translated<typeof ENGLISH> = {
  "playback.approximation":
    "近似です。実際のセッションでは、ワープしたループは少し違って聞こえます。",
  "playback.repitched":
    "ピッチが変わって再生されています。このページではサウンドを伸縮できないため、ループのピッチはテンポに従います。",
  "playback.tooLarge": "このサウンドは大きすぎるため、ここでは再生できません。",
  "playback.tooShort": "このループは短すぎるため、このテンポでは再生できません。",
};
