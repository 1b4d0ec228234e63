import type { PANEL_LAN as ENGLISH } from "../en/panel-lan.ts";
import type { Translated } from "../message.ts";

export const PANEL_LAN: Translated<typeof ENGLISH> = {
  "panel.lan": "このネットワークの機器",
  "panel.lan-switch": "このネットワークの機器からの送信を許可",
  "panel.lan-http":
    "http は暗号化されず、同じネットワークの他の人に聞かれたり、書き換えられたり、なりすましで送信されたりするおそれがあるため、全員を信頼できる場所でだけ使ってください。",
  "panel.lan-keep": "オンのままにする",
  "panel.lan-keep-else": "しない場合は Soundferry の終了とともにオフになります。",
  "panel.lan-off":
    "スマートフォンから送るときはオンにしてください。上に読み取り用の QR コードが表示されます。",
  "panel.lan-scan": "スマートフォンで QR コードを読み取るか、次のアドレスを開いてください：",
  "panel.lan-name": "または：{address}",
  "panel.lan-choose": "ネットワーク",
  "panel.lan-nobody": "まだどの機器からも接続がありません。よくある原因：",
  "panel.lan-firewall":
    "このコンピューターのファイアウォールが遮断しています。Windows の確認は一度だけなので、その後はファイアウォールの設定で許可してください。",
  "panel.lan-guest": "スマートフォンがゲスト Wi-Fi につながっていて、機器どうしが通信できません。",
  "panel.lan-other": "スマートフォンが別のネットワークまたはモバイル通信を使っています。",
  "panel.lan-asks": "{app} がペアリングを求めています。",
  "panel.lan-asks-only-if": "いま自分で読み取った場合だけ許可してください。",
};
