#!/usr/bin/env bash
# Sends WAV files to Live with curl and sha256sum, waits for Import, and prints each result:
#   bash docs/examples/shell/send.sh http://127.0.0.1:4700 --code "4EG BB3" kick.wav snare.wav
# You need the code only once. The files become one-shots; with BPM=120 before bash, loops at that tempo.
set -euo pipefail
relay=${1:?"Begin with a relay's address, as the first lines of this script do."} && relay=${relay%/} && shift
token_file=$HOME/.soundferry-shell/${relay//[^a-zA-Z0-9]/-}

field() { # name, answer: prints the first string with that name; these answers need no full JSON parser
  local from_value=${2#*\"$1\":\"}
  [ "$from_value" = "$2" ] || echo "${from_value%%\"*}"
}

call() { # method, path, curl options: prints the answer, or exits with the relay's sentence
  local answer sentence
  answer=$(curl --silent --fail-with-body --retry 3 --retry-max-time 60 \
    --request "$1" "$relay$2" "${@:3}") && echo "$answer" && return
  sentence=$(field error "$answer")
  echo "${sentence:-No answer from $relay.}" >&2
  # Unpaired in Live: this token will never work again.
  if [ "$(field code "$answer")" = TOKEN_UNKNOWN ]; then rm "$token_file"; fi
  exit 1
}
# curl reads the token from a file, so that no process list shows it.
call_paired() { call "$@" --header "@$token_file"; }

if [ "${1-}" = --code ]; then
  app='"app_name":"Shell example","app_id":"shell-'$(uname -n)'"'
  paired=$(call POST /pair/claim -H "Idempotency-Key: $(head -c12 /dev/urandom | base64)" --data "{\"code\":\"$2\",$app}")
  mkdir -p "${token_file%/*}"
  (umask 077 && echo "Authorization: Bearer $(field app_token "$paired")" >"$token_file")
  echo "Paired with $(field device_name "$paired")." >&2
  shift 2
fi
[ -f "$token_file" ] || { echo 'Not paired yet. Add --code "…" before the files.' >&2; exit 1; }

command -v sha256sum >/dev/null || sha256sum() { shasum -a 256; } # its name on a Mac
files=("$@") sounds= kind=${BPM:+loop} tempo=${BPM:+",\"tempo\":{\"bpm\":$BPM}"}
for i in "${!files[@]}"; do
  name=$(basename "${files[i]}" .wav) digest=$(sha256sum <"${files[i]}")
  sounds+=$(printf '%s{"file":"%d.wav","name":"%s","kind":"%s","bytes":%d,"sha256":"%s"}' "${sounds:+,}" \
    "$i" "${name//[\"\\]/}" "${kind:-oneshot}" "$(wc -c <"${files[i]}")" "${digest%% *}")
done
manifest='{"schema":"app2host/1","title":"From the shell","source":{"app":"curl"},"items":['$sounds']'$tempo'}'
# With the key, a call that curl repeats returns the same package, not a second one.
announced=$(call_paired POST /packages --header "Idempotency-Key: $(date +%s)-$$" --data "$manifest")
for i in "${!files[@]}"; do
  path=$(field "$i.wav" "$announced")
  call_paired PUT "$path" --globoff --upload-file "${files[i]}" >/dev/null
done
package=/packages/$(field package_id "$announced")
call_paired POST "$package/commit" >/dev/null
echo "The package waits. Click Import." >&2
status=waiting
while [ "$status" = waiting ]; do
  answer=$(call_paired GET "$package/status?wait=25&known=waiting")
  status=$(field status "$answer")
done
echo "$answer" && [ "$status" = imported ]
