import type { Translated } from "../message.ts";
import type { SEND as ENGLISH } from "../en/send.ts";

/** In Japanese. */
export const SEND: Translated<typeof ENGLISH> = {
  "send.label": "Ableton Liveにサウンドを送信",
  "send.drop": "または、ここにサウンドをドロップ",
  "send.more": "さらに送信",
  "send.paused": "{trouble} 自動的に再開します。",
  "send.interrupted": "{title}の送信が中断されました。",
  "send.resume": "再開",
  "send.discard": "破棄",
  "send.removeSound": "{name}を削除",
  "send.bpm": "BPM",
  "send.otherRelay": "このリンクは{relay}用です。ここでは{own}に送信します。",
};
