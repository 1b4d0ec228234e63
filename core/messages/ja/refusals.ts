import {
  MAX_APP_ID_LENGTH,
  MAX_IDEMPOTENCY_KEY_LENGTH,
  MAX_ID_LENGTH,
  MAX_PACKAGE_BYTES,
  MAX_SAMPLE_RATE_HZ,
  MAX_SOUNDS,
} from "../../limits.ts";
import { PACKAGE_SIZE } from "../../text/format-limit.ts";
import type { Translated } from "../message.ts";
import type { REFUSAL_TEXTS as ENGLISH } from "../en/refusals.ts";

export const REFUSAL_TEXTS: Translated<typeof ENGLISH> = {
  "refusal.REQUEST_MALFORMED": "リクエストを読めませんでした。",
  "refusal.NOT_JSON": "内容が正しい JSON ではありません。",
  "refusal.JSON_IN_FORM": "これはフォームです。JSONをそのまま本文として送信してください。",
  "refusal.JSON_ENCODED": "{encoding} として届きました。JSONをUTF-8のテキストで送信してください。",
  "refusal.PATH_UNKNOWN": "このアドレスには何もありません。",
  "refusal.METHOD_WRONG": "このアドレスは {method} に対応していません。",
  "refusal.REQUEST_TOO_SLOW": "リクエストの到着が遅すぎました。もう一度試してください。",
  "refusal.BODY_TOO_LARGE": "内容が大きすぎます。上限は {max} です。",
  "refusal.HEADERS_TOO_LARGE": "リクエストのヘッダーが大きすぎます。",
  "refusal.CLAIM_INCOMPLETE": "code、app_name、app_id がそれぞれ文字列で必要です。",
  "refusal.APP_ID_TOO_LONG": `app_id は ${MAX_APP_ID_LENGTH} 文字までです。`,
  "refusal.TOKEN_MISSING":
    "Authorization ヘッダーがありません。Bearer とトークンを送ってください。",
  "refusal.TOKEN_UNKNOWN": "ペアリングが解除されています。新しいコードを入力してください。",
  "refusal.IMPORTER_UNKNOWN": "リレーはこのコンピューターを認識していません。",
  "refusal.REGISTRATION_KEY_WRONG":
    "このリレーには登録キーが必要です。管理している人に聞いてください。",
  "refusal.REGISTRATION_KEY_ENDED": "この登録キーは期限切れです。管理している人に聞いてください。",
  "refusal.REGISTRATION_KEY_USED_UP":
    "この登録キーは使用済みです。管理している人に聞いてください。",
  "refusal.REGISTRATION_KEY_REMOVED":
    "この登録キーは削除されました。管理している人に聞いてください。",
  "refusal.CODE_UNKNOWN":
    "このコードは間違っているか、使用済みか、期限切れです。新しいコードを取得してください。",
  "refusal.PAIRING_UNKNOWN": "このアプリはこのコンピューターとペアリングされていません。",
  "refusal.DEVICE_NAME_WRONG": "device_name は文字列でなければなりません。",
  "refusal.IMPORTER_TOO_OLD":
    "このバージョンはリレーには古すぎます。Soundferry を更新してください。",
  "refusal.SCHEMA_NEWER": "形式 {schema} にはまだ対応していません。Soundferry を更新してください。",
  "refusal.SCHEMA_UNKNOWN": "schema は app2host/1 でなければなりません。",
  "refusal.MANIFEST_NOT_OBJECT": "説明は JSON オブジェクトでなければなりません。",
  "refusal.ITEMS_MISSING": `items は 1 から ${MAX_SOUNDS} 個のサウンドのリストでなければなりません。`,
  "refusal.ITEMS_TOO_MANY": `1 つのパッケージには ${MAX_SOUNDS} 個までです。これは {count} 個です。`,
  "refusal.ITEM_NOT_OBJECT": "サウンド {position} は JSON オブジェクトでなければなりません。",
  "refusal.FILE_NAME_MISSING": "{sound}：file がありません。",
  "refusal.FILE_NAME_WRONG": "{sound}：file は .wav で終わる単純な名前でなければなりません。",
  "refusal.BYTES_WRONG": `{sound}：bytes は 1 から ${MAX_PACKAGE_BYTES} までです。`,
  "refusal.SHA256_WRONG": "{sound}：sha256 は 64 桁の 16 進数でなければなりません。",
  "refusal.FILE_TWICE": "{sound}：別のサウンドが {file} を使っています。",
  "refusal.TOTAL_TOO_LARGE": `{sound}：このサウンドでパッケージが ${PACKAGE_SIZE} を超えます。`,
  "refusal.IDEMPOTENCY_KEY_WRONG": `Idempotency-Key は 1 から ${MAX_IDEMPOTENCY_KEY_LENGTH} 文字までです。`,
  "refusal.IDEMPOTENCY_KEY_REUSED": "この Idempotency-Key は別のパッケージに使われています。",
  "refusal.MORE_PROBLEMS": "ほかに{count}件の問題があります。",
  "refusal.PACKAGE_UNKNOWN": "そのパッケージはありません。",
  "refusal.FILE_UNKNOWN": "パッケージに {file} というファイルはありません。",
  "refusal.SOUND_LOST": "{file}：リレーでこのファイルが失われました。もう一度送ってください。",
  "refusal.UPLOAD_STALLED": "{file}：送信が中断されました。もう一度送ってください。",
  "refusal.SIZE_DIFFERS": "{file}：{announced} バイトのはずが {got} バイトでした。",
  "refusal.CHECKSUM_DIFFERS": "{file}：チェックサムが一致しません。",
  "refusal.UPLOAD_HEADERS_WRONG":
    "Upload-Offset は整数、Upload-Complete は ?0 か ?1 にしてください。",
  "refusal.FILE_IN_FORM":
    "これはフォームのアップロードです。ファイルのバイトをそのまま送信してください。",
  "refusal.FILE_ENCODED":
    "{file}: {encoding} として届きました。ファイルのバイトをそのまま送信してください。",
  "refusal.UPLOAD_OFFSET_DIFFERS": "{file}: {offset} バイト目から続けてください。",
  "refusal.UPLOAD_REPLACED": "{file}: より新しいアップロードに置き換えられました。",
  "refusal.UPLOAD_TYPE_WRONG": "Content-Type は application/partial-upload にしてください。",
  "refusal.UPLOAD_VERSION_UNKNOWN":
    "再開可能なアップロードのこのバージョンには対応していません。PUT でファイル全体を送ってください。",
  "refusal.UPLOADS_TOO_MANY": "すでに {max} 個を送信中です。1 つ終わるまで待ってください。",
  "refusal.WAV_NOT_RIFF": "{file}：WAV ファイルではありません。WAV で書き出してください。",
  "refusal.WAV_LFS_POINTER":
    "{file} は Git LFS のポインターです。git lfs pull を実行してください。",
  "refusal.WAV_TAG_IN_FRONT": "{file}：先頭に ID3 タグがあります。タグなしで書き出してください。",
  "refusal.WAV_RF64": "{file}：{container} には対応していません。通常の WAV で保存してください。",
  "refusal.WAV_RIFX": "{file}：ビッグエンディアンの WAV です。通常の WAV で保存してください。",
  "refusal.WAV_NO_FORMAT": "{file}：形式の情報がありません。もう一度書き出してください。",
  "refusal.WAV_FORMAT_BROKEN": "{file}：形式の情報が壊れています。もう一度書き出してください。",
  "refusal.WAV_FORMAT_AFTER_DATA":
    "{file}：形式の情報が音声の後にあります。もう一度書き出してください。",
  "refusal.WAV_COMPRESSED": "{file}：コーデックが {codec} です。PCM の WAV で書き出してください。",
  "refusal.WAV_FLOAT_UNSUPPORTED":
    "{file}：{bits} ビット浮動小数です。32 ビット浮動小数で書き出してください。",
  "refusal.WAV_BITS_UNSUPPORTED":
    "{file}：{bits} ビットです。16、24、32 ビットのどれかで書き出してください。",
  "refusal.WAV_CHANNELS_UNSUPPORTED":
    "{file}：{channels} チャンネルです。モノかステレオで書き出してください。",
  "refusal.WAV_RATE_UNSUPPORTED": `{file}：サンプルレートが {rate} Hz です。44.1 から ${MAX_SAMPLE_RATE_HZ / 1000} kHz で書き出してください。`,
  "refusal.WAV_BLOCK_ALIGN_WRONG":
    "{file}：block align が {expected} ではなく {got} です。保存し直してください。",
  "refusal.WAV_NO_DATA": "{file}：音声がありません。もう一度書き出してください。",
  "refusal.WAV_STREAMED":
    "{file}：ヘッダーに長さがありません（ストリーミング）。保存し直してください。",
  "refusal.WAV_LENGTH_WRONG": "{file}：ヘッダーの長さが間違っています。保存し直してください。",
  "refusal.WAV_CUT_SHORT": "{file}：ファイルが不完全です。もう一度書き出してください。",
  "refusal.FILES_MISSING": "不足：{files}",
  "refusal.NOT_UPLOADING": "このパッケージは完成していて、これ以上ファイルを受け付けません。",
  "refusal.PACKAGE_EXPIRED": "このパッケージは期限切れです。もう一度送ってください。",
  "refusal.PACKAGE_TAKEN": "このパッケージは今読み込まれています。",
  "refusal.PACKAGE_IMPORTED": "このパッケージはすでに読み込まれています。",
  "refusal.PACKAGE_NOT_COMMITTED": "このパッケージはまだ送信中です。",
  "refusal.RUN_ELSEWHERE": "別の読み込みが実行中です。{seconds} 秒後にもう一度試してください。",
  "refusal.RANGE_WRONG": "ファイルは {size} バイトです。その範囲は外側です。",
  "refusal.RESULTS_WRONG": "results では各サウンドに状態を持つオブジェクトが必要です。",
  "refusal.SOUND_UNKNOWN": "パッケージに {id} というサウンドはありません。",
  "refusal.RUN_ID_WRONG": `run_id は 1 から ${MAX_ID_LENGTH} 文字の文字列でなければなりません。`,
  "refusal.CALLS_TOO_MANY": "リクエストが多すぎます。{seconds} 秒後にもう一度試してください。",
  "refusal.PACKAGES_TOO_MANY": "上限は 1 時間に {max} パッケージです。あとで試してください。",
  "refusal.TRIES_TOO_MANY": "試行が多すぎます。{seconds} 秒後にもう一度試してください。",
  "refusal.ADDRESS_BYTES_TOO_MANY":
    "このアドレスから今日送られた量が多すぎます。あとで試してください。",
  "refusal.MANY_WAIT": "{app} のパッケージがたくさん待っています。先に読み込むか、隠してください。",
  "refusal.MANY_WAIT.own":
    "あなたのパッケージがたくさん待っています。先に読み込むか、隠してください。",
  "refusal.DEVICE_FULL":
    "{app} がこのコンピューターの容量をいっぱいにしています。そのパッケージを読み込むか、隠してください。",
  "refusal.DEVICE_FULL.own":
    "あなたのパッケージでこのコンピューターの容量がいっぱいです。先に読み込むか、隠してください。",
  "refusal.DISK_FULL": "リレーのディスクがいっぱいです。あとで試してください。",
  "refusal.TOO_MUCH_AT_ONCE": "一度に多すぎます。{seconds} 秒後にもう一度お試しください。",
  "refusal.REFUSED_TOO_MUCH":
    "拒否された送信が多すぎます。{seconds} 秒後にもう一度お試しください。",
  "refusal.REGISTRATIONS_TOO_MANY":
    "今日は多くのコンピューターが登録されました。{wait}後にもう一度お試しください。",
  "refusal.NETWORK_REGISTRATIONS_TOO_MANY":
    "お使いのネットワークから今日多くのコンピューターが登録されました。{wait}後にお試しください。",
  "refusal.UPLOADS_UNFINISHED":
    "未完了のアップロードが容量を占めています。{minutes} 分後にもう一度お試しください。",
  "refusal.BUSY": "リレーが混み合っています。{seconds} 秒後にもう一度お試しください。",
  "refusal.STOPPING": "リレーを再起動しています。{seconds} 秒後にもう一度お試しください。",
  "refusal.REGISTRATIONS_OFF":
    "リレーは現在コンピュータを登録していません。後でもう一度お試しください。",
  "refusal.ANNOUNCEMENTS_OFF":
    "リレーは現在パッケージを受け付けていません。後でもう一度お試しください。",
  "refusal.CLAIMS_OFF": "リレーは現在アプリをペアリングしていません。後でもう一度お試しください。",
  "refusal.HOST_UNKNOWN":
    "リレーにその名前はありません。運営者は SOUNDFERRY_ALLOWED_HOSTS を設定できます。",
  "refusal.ADDRESS_BLOCKED": "リレーの運営者がこのアドレスをブロックしました。",
  "refusal.DEVICE_BLOCKED": "リレーの運営者がこのコンピュータをブロックしました。",
  "refusal.JSON_TOO_COMPLEX": "内容の入れ子が深すぎるか、値が多すぎます。",
  "refusal.SOUND_DENIED": "{sound}：リレーの運営者はこのサウンドを受け付けません。",
  "refusal.STATUS_WRONG":
    "status は uploading, waiting, imported, partial, failed, expired のいずれかです。",
  "refusal.CURSOR_WRONG": "after には前のページが示した値を指定してください。",
  "refusal.PAIRING_ANSWER_WRONG": "answer は allow または deny にしてください。",
  "refusal.PAIRING_REQUEST_OVER": "このリクエストは終了しました。",
  "refusal.INTERNAL": "リレーで問題が起きました。もう一度試してください。",
  "refusal.NOT_READY": "リレーが保存先に接続できません。少し待って試してください。",
};
