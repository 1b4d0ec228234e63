import type { LAN_TEXTS as ENGLISH } from "../en/lan.ts";
import type { Translated } from "../message.ts";

export const LAN_TEXTS: Translated<typeof ENGLISH> = {
  "run.LAN_ABSENT":
    "このコンピューターは今、どのプライベートネットワークにもつながっていません。Wi-Fi に接続してください。",
  "run.LAN_PORT_TAKEN":
    "{address} のポート {port} は別のプログラムが使っています。そのプログラムを終了するか、別のポートを選んでください。",
  "run.LAN_REFUSED":
    "このコンピューターでは、Soundferry が {address} で接続を受け付けることができません（{status}）。",
  "run.LAN_SET": "リレーは --host の指定により {address} で待ち受けています。",
};
