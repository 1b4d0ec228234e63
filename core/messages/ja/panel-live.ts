import type { Translated } from "../message.ts";
import type { PANEL_LIVE as ENGLISH } from "../en/panel-live.ts";

/** In Japanese. */
export const PANEL_LIVE: Translated<typeof ENGLISH> = {
  "panel.live-setup": "Live を設定",
  "panel.live-setup-title": "Ableton Live を設定",
  "panel.live-why":
    "コントロールサーフェスは Live の中の小さなスクリプトです。Live 12 のどのエディションでも、各ループのテンポ、開始位置、ゲインが正確になります。",
  "panel.live-ready": "{live} は正確な読み込みの準備ができています",
  "panel.live-answers": "{live} が応答しています。",
  "panel.live-waiting": "Live の応答を待っています…",
  "panel.live-silent": "Live が応答しなくなりました。",
  "panel.live-done": "完了",
  "panel.live-open": "未完了",
  "panel.live-installing": "インストール中…",
  "panel.live-install": "インストール",
  "panel.live-update": "更新",
  "panel.live-install-again": "もう一度インストール",
  "panel.live-step-install": "スクリプトをインストール",
  "panel.live-step-restart": "Live を再起動",
  "panel.live-step-choose": "Live で Soundferry を選ぶ",
  "panel.live-restart":
    "Live を終了して、もう一度起動してください。新しいスクリプトは起動時にだけ見つかります。",
  "panel.live-restart-other":
    "Live では別のバージョンのスクリプトが動いています。Live を終了して、もう一度起動してください。",
  "panel.live-choose":
    "Live で「設定」→「Link、テンポ & MIDI」を開きます。コントロールサーフェスに Soundferry を選び、入力と出力は「なし」のままにします。",
  "panel.live-missing": "Soundferry は小さなスクリプトを Live の {library} にコピーします。",
  "panel.live-old": "Live の {library} にあるスクリプトは別のバージョンの Soundferry のものです。",
  "panel.live-changed": "Live の {library} にあるスクリプトは手で変更されています。",
  "panel.live-foreign":
    "Live の {library} に別の Remote Scripts/Soundferry フォルダーがあります。先に移動してください。",
  "panel.live-current": "Live の {library} にあります。",
  "panel.live-no-library":
    "Live のユーザーライブラリが見つかりません。Live の「設定」→「ライブラリ」にあるフォルダーを SOUNDFERRY_LIVE_LIBRARY に指定して Soundferry を起動してください。",
  "panel.live-unknown":
    "Live の中からはインストールできません。ターミナルで次を実行してください：soundferry live install",
  "panel.check": "この Live をチェック",
  "panel.check-what":
    "Soundferry は約 2 分でこの Live の動作を試し、送れるレポートを書きます。パス、名前、アドレスは含まれません。先に Live で新しい空のセットを開いてください。チェックで作ったものはすべて削除されます。",
  "panel.check-start": "チェックを始める",
  "panel.check-again": "もう一度チェック",
  "panel.check-cancel": "チェックをやめる",
  "panel.check-label": "Live のチェック",
  "panel.check-waiting": "Live を待っています…",
  "panel.check-progress": "{count} 問中 {done} 問に回答",
  "panel.check-done": "{live} をチェックしました：{count} 問中 {answered} 問に回答。",
  "panel.check-save": "レポートを保存",
  "panel.check-answer": "回答する",
  "panel.check-did": "完了",
  "panel.check-skip": "スキップ",
};
