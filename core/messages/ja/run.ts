import { MAX_BPM, MIN_BPM } from "../../limits.ts";
import { PACKAGE_SIZE, RESULTS_SIZE } from "../../text/format-limit.ts";
import type { RUN_TEXTS as ENGLISH } from "../en/run.ts";
import type { Translated } from "../message.ts";
import { LIVE_SET_RUN } from "./live-set.ts";

export const RUN_TEXTS: Translated<typeof ENGLISH> = {
  ...LIVE_SET_RUN,
  "run.SAVED_AS_FILES": "ファイルとして保存しました。セットには配置していません。",
  "run.PLACED_IN_PREVIEW": "Live ではなく、Soundferry のプレビューに配置しました。",
  "run.TRACKS_FULL":
    "{live} では、1 つのセットに作れるトラックは {count} 個までです。このサウンドはサウンドフォルダーにあります。",
  "run.SCENE_TAKEN":
    "{live} では、1 つのセットに作れるシーンは {count} 個までです。そのため、クリップは元からあった空のシーンに入っています。",
  "run.CHANGED_BY_PERSON": "読み込みの後にこのクリップが変更されたため、再確認はしていません。",
  "run.OPEN_IN_LIVE": "このクリップは Live で開かれていたため、Soundferry は手を加えていません。",
  "run.ON_EARLIER_TRACK": "前回の読み込みのトラックに入っています。",
  "run.NO_EARLIER_TRACK": "前回のトラックがないため、新しいトラックに入れました。",
  "run.EARLIER_TRACK_UNUSABLE":
    "前回のトラックはフリーズされているか、オーディオトラックではないため、新しいトラックに入れました。",
  "run.NO_RESULT": "このサウンドの結果は報告されていません。",
  "run.RESULTS_SHORTENED": `省略あり：1 つのパッケージの結果は ${RESULTS_SIZE} までです。`,
  "run.NOT_CHECKED": "未確認：{settings}。",

  "run.BOTH_GUESSED":
    "テンポも長さも送られていないため、どちらも推測です。ループが合っているか確認してください。",
  "run.TEMPO_GUESSED": `{seconds} 秒のファイルで {beats}だと、テンポが ${MIN_BPM}～${MAX_BPM} BPM から外れるため、テンポは推測です。`,
  "run.LOOP_SHORTER":
    "{bpm} BPM で {beats}のループは {seconds} 秒ですが、ファイルは {fileSeconds} 秒あります。最後の {gapSeconds} 秒はループに入りません。",
  "run.LOOP_LONGER":
    "{bpm} BPM で {beats}のループは {seconds} 秒ですが、ファイルは {fileSeconds} 秒しかありません。ループの最後の {gapSeconds} 秒は無音になります。",
  "run.FILE_ABSENT": "{file} がありません。",

  "run.FILE_LOST": "リレーでファイルが失われました。",
  "run.FILE_NOT_AT_RELAY": "リレーに {file} がありません。",
  "run.FILE_SIZE_UNKNOWN": "{file}：サイズが分かりません。",
  "run.FILE_OTHER_PART": "{file}：要求とは別の部分がリレーから届きました。",
  "run.FILE_TOO_LONG": "{file}：ファイルより多くのデータがリレーから届きました。",
  "run.FILE_ENDED_EARLY": "{file}：接続が途中で切れました。",
  "run.FILE_SILENT": "{file}：{seconds} 秒間データが届いていません。",
  "run.FILE_HEADER_LONG": "{file}：ヘッダーが長すぎて、読み込む前に表示できません。",
  "run.FILE_UNREADABLE": "{file} を読み取れません。",
  "run.MAYBE_IN_CLOUD":
    "クラウドにしかない可能性があります。ダウンロードしてから、もう一度試してください。",
  "run.FILE_IN_ICLOUD":
    "{file} は iCloud にあり、この Mac にはありません。Finder でダウンロードしてから、もう一度試してください。",
  "run.FILE_CHANGED": "{file} は読み取り中に変更されました。",
  "run.FILE_OUTSIDE": "{file} はパッケージのフォルダーの外にあります。",
  "run.FILE_MISSING": "{file} がパッケージのフォルダーにありません。",
  "run.NOT_A_FILE": "{file} はファイルではありません。",
  "run.FILE_TOO_LARGE": "{file} は大きすぎます。上限は {limit} です。",
  "run.JSON_INVALID": "{file} は正しい JSON ではありません（{line} 行 {column} 列）。",
  "run.JSON_ENCODED_FILE": "{file} は {encoding} です。UTF-8 のテキストで保存してください。",
  "run.TAKES_OVER": `{file}：このサウンドでパッケージが ${PACKAGE_SIZE} を超えます。`,
  "run.FOLDER_ABSENT": "フォルダー {folder} がありません。",
  "run.FOLDER_UNREADABLE": "フォルダー {folder} を読み取れません。",
  "run.NOT_IN_INBOX": "受信フォルダーにパッケージ {id} がありません。",
  "run.NOT_AT_RELAY": "リレーに、このコンピューター宛てのパッケージ {id} がありません。",

  "run.RUN_CANCELLED": "読み込みを中止しました。",
  "run.RUN_FAILED": "読み込みに失敗しました。",
  "run.CONNECTION_LOST":
    "接続が切れました。何も配置していません。続けるにはもう一度読み込んでください。",
  "run.LAST_PROBLEM": "最後の問題：{problem}",
  "run.RELAY_SILENT": "リレーが {seconds} 秒間応答しませんでした。",
  "run.NONE_CHOSEN": "サウンドを 1 つ以上選んでください。",
  "run.NAMED_TWICE": "{name} という名前のサウンドが複数あります。ID を使ってください：{ids}。",
  "run.TRACKS_NOT_REUSED": "ここでは同じトラックに読み込めません。",
  "run.OTHER_SOUNDS_RUN":
    "{title} の別のサウンドを読み込んでいます。終わってからもう一度試してください。",
  "run.IMPORT_RUNS": "{title} を読み込んでいます。先に中止してください。",
  "run.CLOSING": "Soundferry を終了しています。",
  "run.INTERRUPTED": "{title} の前回の読み込みが中断されました。",
  "run.STEPS_DONE": "完了：{steps}。",
  "run.STEPS_BEGUN": "完了の可能性あり：{steps}。",
  "run.DELETE_REST": "不要なものを削除してから、もう一度読み込んでください。",

  "run.HOST_COULD_NOT": "{host} で次の操作に失敗しました：{step}。",
  "run.HOST_COULD_NOT_BECAUSE": "{host} で次の操作に失敗しました：{step}（{reason}）。",
  "run.HOST_SILENT": "{host} が応答しません。",
  "run.TRACK_STAYS": "空のトラックが残っています。",
  "run.STAYS_IN_SET": "セットに残っているもの：{names}。",
  "run.STAYS_IN_SESSION": "セッションに残っているもの：{names}。",
  "run.TEMPO_STAYS": "テンポは {bpm} BPM のままです。",
  "run.NOT_IN_PREVIEW": "プレビューに {name} がありません。",

  "run.LIVE_TOO_OLD":
    "お使いのバージョンは {live} です。Soundferry が配置できるのは、Live 11.3 では 11.3.25 以降、Live 12 では 12.0.5 以降です。アップデートは無料です。",
  "run.LIVE_ABSENT":
    "Live が応答しません。Live を開き、「設定」→「Link、テンポ & MIDI」で Soundferry を選んでください。詳しくは `soundferry live status` で分かります。",
  "run.LIVE_BUSY": "Live が応答しませんでした。開いているメニューやダイアログを閉じてください。",
  "run.SCRIPT_VERSION":
    "Live で動いている Soundferry のコントロールサーフェスはバージョン {other} ですが、こちらは {own} です。`soundferry live install` を実行して、Live を再起動してください。",
  "run.SCRIPT_UNKNOWN":
    "Live で動いている Soundferry のコントロールサーフェスは別のバージョンですが、こちらは {own} です。`soundferry live install` を実行して、Live を再起動してください。",
  "run.LIVE_STOPPED":
    "{name} の配置中に Live が応答しなくなりました。Live が応答したらもう一度読み込んでください。セットに何があるかが分かります。",
  "run.SET_CLOSED": "{name} の配置中にセットが閉じられました。",
  "run.SET_HOLDS": "いま開いているセットにあるもの：{things}。",
  "run.CLIP_ABSENT": "クリップ「{name}」が Live にありません。",
  "run.TEMPO_HEARD": "Live は {bpm} BPM と検出しました。",
  "run.TEMPO_NEAR": "Live の検出は {heldBpm} BPM で、{bpm} に十分近い値です。",
  "run.TEMPO_UNTOLD":
    "Soundferry のコントロールサーフェスがないと、このループのテンポを Live に指定できません。",
  "run.CLIP_MADE_AGAIN":
    "Live が {heldBpm} BPM と検出したため、セットを {bpm} BPM にしてクリップを作り直しました。",
  "run.BOUNDS_REFUSED": "Live がクリップの開始位置と終了位置を受け付けませんでした。",
  "run.SETTING_REFUSED": "Live が設定を受け付けませんでした：{setting}。",
  "run.SETTING_REFUSED_BECAUSE": "Live が設定を受け付けませんでした：{setting}（{reason}）。",
  "run.ENDS_EARLY": "クリップは {seconds} 秒で終わりますが、ファイルは {fileSeconds} 秒あります。",
  "run.TRANSPOSED": "{semitones} 半音 {cents} セント移調されています。",
  "run.TRACK_ARMED": "トラックが録音待機（アーム）になっています。",
  "run.TRACK_INPUT": "トラックの入力は「{input}」です。",
  "run.TRACK_FADER": "トラックのフェーダーが 0 dB ではありません。",
  "run.SCENE_NAMED": "シーン名が「{name}」ではなく「{held}」です。",
  "run.SCENE_COLOR": "シーンのカラーが {color} ではなく {heldColor} です。",
  "run.SCENE_COLORLESS": "シーンのカラーが {color} ではなく、なしです。",
  "run.SET_TEMPO_DIFFERS": "セットのテンポが {bpm} BPM ではなく {heldBpm} BPM です。",
  "run.SET_TEMPO_OTHER": "セットのテンポが {bpm} ではなく {heldBpm} BPM です。",
  "run.SET_TEMPO_UNKNOWN": "セットのテンポが {bpm} BPM になったか確認できませんでした。",
  "run.COLLECT_AND_SAVE":
    "セットと一緒に残すには、Live の「ファイル」メニューで「すべてを集めて保存」を使ってください。",
  "run.PLAYS_FROM_FOLDER": "Live はサウンドフォルダーのファイルを再生します。",
  "run.GAIN_IN_COPY_RANGE":
    "トラックの音量は {leastDb}～{mostDb} dB のため、{gain} のゲインはファイルのコピーに適用しました。",
  "run.GAIN_IN_COPY_REFUSED":
    "Live でトラックの音量を設定できなかったため、{gain} のゲインはファイルのコピーに適用しました。",
  "run.GAIN_ON_TRACK": "{gain} のゲインはトラックの音量として設定しました。",
  "run.NO_GAINED_COPY": "{gain} のゲインを適用したコピーを作れませんでした。{problem}",
  "run.CLIP_UNREADABLE": "{name}：読み取れません。",

  "run.PROJECT_UNWARPED":
    "DAWproject ではテンポを推測に任せられません。クリップはワープなしで、ファイル全体をループします。",
  "run.PROJECT_FILLED":
    "DAWproject ではテンポを推測に任せられません。ファイルは {beats}に収まるようワープされます。",
  "run.PROJECT_LOUD":
    "+{db} dB のゲインはトラックの音量として設定しました。多くの DAW では +6 dB までです。",
  "run.NOT_IN_PROJECT": "DAWproject ファイルに {name} がありません。",
  "run.PROJECT_UNREADABLE": "{file} を読み直せません。ファイルはサウンドと同じ場所に残っています。",

  "run.DISK_FULL":
    "{folder} のあるディスクがいっぱいです。空きを作って、もう一度読み込んでください。ダウンロード済みのサウンドは残ります。",
  "run.DISK_READ_ONLY":
    "Soundferry は {folder} に保存できません。読み取り専用か、Soundferry に権限がありません。設定で別のフォルダーを選んでください。",
  "run.DISK_MANY_FILES":
    "このコンピューターで開いているファイルが多すぎます。プログラムを閉じて、もう一度読み込んでください。",
  "run.DISK_AWAY":
    "{folder} のあるドライブが見つかりません。接続して、もう一度読み込んでください。",
  "run.DISK_ERROR":
    "{folder} のあるディスクでエラーが起きました。確認してから、もう一度読み込んでください。ダウンロード済みのサウンドは残ります。",
  "run.DISK_NAME_LONG":
    "{folder} の中の名前がディスクには長すぎます。設定でパスの短いフォルダーを選んでください。",
  "run.DISK_ICLOUD":
    "{folder} のファイルが iCloud にあり、この Mac にはありません。Finder でフォルダーをダウンロードしてから、もう一度読み込んでください。",
  "run.DISK_BUSY":
    "別のプログラムが {folder} のファイルを使っています。それを閉じて、もう一度読み込んでください。",
  "run.DISK_FOLDER_IN_WAY":
    "{name} はフォルダーですが、Soundferry はその名前をファイルに使います。名前を変えて、もう一度読み込んでください。",
  "run.DRIVE_AWAY":
    "サウンドフォルダー {folder} のあるドライブが見つかりません。接続するか、別のフォルダーを選んでください。",
  "run.DISK_NEARLY_FULL": `{folder} のあるディスクの空きがほとんどありません。1 つのパッケージに最大 ${PACKAGE_SIZE} 必要です。空きを作るか、別のディスクのフォルダーを選んでください。`,
  "run.FOLDER_PATH_SHORT": "フォルダーのパスを、ディスクまたは ~ から省略せずに入力してください。",
  "run.NOT_A_FOLDER": "{folder} はフォルダーではありません。",
  "run.FOLDER_IN_USE":
    "{folder} は Soundferry が別の目的で使っています。サウンドには別のフォルダーを選んでください。",
  "run.FOLDER_OF_EXTENSION": "Live の拡張機能が書き込めるのはこのフォルダーだけです。",
  "run.FOLDER_SET": "サウンドフォルダーは Soundferry の起動時に指定されています。",
  "run.FOLDER_SET_BY": "サウンドフォルダーは {variable} で指定されています。",
  "run.FOLDER_CHANGE_WAITS":
    "読み込みが実行中です。終わってからサウンドフォルダーを変更してください。",
  "run.FOLDER_NOT_MADE":
    "フォルダー {folder} を作れません：{reason}。パスとアクセス権を確認してください。",
  "run.FOLDER_STUCK": "フォルダー {folder} を読み取れないか、削除できません。",
  "run.FOLDER_NOT_SHOWN": "フォルダーを表示できませんでした。",
  "run.FOLDERS_NOT_SHOWN": "ここではフォルダーを表示できません。",

  "run.SCRIPT_DISK_FULL": "ディスクがいっぱいです。空きを作って、もう一度試してください。",
  "run.SCRIPT_READ_ONLY":
    "Soundferry は {folder} に書き込めません。書き込みを許可し、使っているプログラムを閉じて、もう一度試してください。",
  "run.SCRIPT_BUSY":
    "別のプログラムが {folder} を使っています。それを閉じて、もう一度試してください。",
  "run.SCRIPT_IN_WAY":
    "{folder} はフォルダーではないため、じゃまになっています。移動して、もう一度試してください。",
  "run.SCRIPT_DISK_ERROR":
    "{folder} を使えません。ディスクでエラーが起きました。確認して、もう一度試してください。",

  "run.TRY_AGAIN": "もう一度試してください。",
  "run.TRY_LATER": "あとで試してください。",
  "run.NO_RELAY": "リレーが設定されていません。ここにアドレスを入力してください。",
  "run.RELAY_SET": "リレーのアドレスは Soundferry の起動時に指定されています。",
  "run.RELAY_SET_BY": "リレーのアドレスは {variable} で指定されています。",
  "run.RELAY_CHANGE_WAITS": "読み込みが実行中です。終わってからリレーを変更してください。",
  "run.RELAY_NOT_FOUND": "{relay} が見つかりません。リレーのアドレスと接続を確認してください。",
  "run.RELAY_NOT_RUNNING": "{relay} から応答がありません。リレーは動いていますか？",
  "run.RELAY_LATE": "{relay} が時間内に応答しませんでした。",
  "run.RELAY_UNREACHABLE": "ここからは {relay} に接続できません。接続を確認してください。",
  "run.RELAY_UNREACHED": "{relay} に接続できません（{status}）。",
  "run.RELAY_LOST": "{relay} との接続が切れました。",
  "run.RELAY_TROUBLE": "{relay} のリレーで問題が起きています（{status}）。",
  "run.RELAY_REFUSED": "{relay} のリレーがリクエストを拒否しました（{status}）。",
  "run.RELAY_FOREIGN":
    "このコンピューターとリレーの間で、別のものが代わりに応答しています。ブラウザーでページを開いてください。Wi-Fi のログインが必要かもしれません。",
  "run.RELAY_OTHER_SERVER":
    "{relay} のサーバーは Soundferry のリレーではありません。アドレスを確認してください。",
  "run.RELAY_REDIRECTS":
    "{relay} は {address} に転送しています。それをリレーのアドレスとして入力してください。",
  "run.RELAY_NOT_SOUND": "{relay} からサウンドではないものが届きました。",
  "run.RELAY_REPLACED": "{relay} では別のリレーが応答しています。",
  "run.RELAY_CERTIFICATE_OLD":
    "{relay} の証明書の期限が切れています。リレーの管理者に知らせてください。",
  "run.RELAY_CERTIFICATE_OTHER":
    "{relay} の証明書は別のアドレスのものです。リレーのアドレスを確認してください。",
  "run.RELAY_CERTIFICATE_UNTRUSTED":
    "{relay} の証明書は信頼されていません。リレーの管理者に知らせてください。",
  "run.RELAY_WITHOUT_HTTPS":
    "{relay} は https に対応していません。自分のネットワークでは http:// を試してください。",
};
