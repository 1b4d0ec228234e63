import type { PAGE_PHONE as ENGLISH } from "../en/page-phone.ts";
import type { Translated } from "../message.ts";

export const PAGE_PHONE: Translated<typeof ENGLISH> = {
  "page.directions": "送信と受信",
  "page.send": "送信",
  "page.receive": "受信",
  "page.receiveInstead":
    "何もインストールしていない場合は、ブラウザーで {address} を開いてください。",
  "page.isVideo": "動画の音声です。映像は送信されません。",
  "page.noSound": "{file} は音声のない動画です。",
  "page.shareAgain":
    "共有されたものを受け取れませんでした。もう一度共有するか、ここでファイルを選んでください。",
  "page.chooseHere": "サウンドか、音声を送りたい動画を選んでください。",
};
