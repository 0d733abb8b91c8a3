#!/usr/bin/env bash
# The step of action.yml: builds grade of the action's own version, runs it with the
# inputs, which are in the environment, and writes the job's summary and outputs.
set -euo pipefail

work=$(mktemp -d -p "$RUNNER_TEMP")
trap 'rm -rf "$work"' EXIT
finish() { # STATUS
  echo "status=$1" >>"$GITHUB_OUTPUT"
  exit "$1"
}

go -C "$GITHUB_ACTION_PATH/../../../examples/grade" build -o "$RUNNER_TEMP/grade" .

mkdir -p "$FOLDER"
args=(-source "$SOURCE" -o "$work/report.txt" -o "$work/report.json")
for format in $FORMAT; do
  case $format in
    html | json | sarif) args+=(-o "$FOLDER/grade.$format") ;;
    junit) args+=(-o "$FOLDER/grade.xml") ;;
    text) args+=(-o "$FOLDER/grade.txt") ;;
    *) echo "format: want html, json, sarif, junit or text, got $format" && finish 2 ;;
  esac
done
if [ -n "$MIN" ]; then args+=(-min "$MIN"); fi
if [ -n "$URL" ]; then args+=(-url "$URL"); fi
while IFS= read -r header; do
  if [ -n "$header" ]; then args+=(-header "$header"); fi
done <<<"$HEADERS"
read -r -a flags <<<"$FLAGS"
args+=("${flags[@]}")
if [ -n "$COMMAND" ]; then args+=(-- bash -c "$COMMAND"); fi

status=0
"$RUNNER_TEMP/grade" "${args[@]}" >"$work/out" 2>&1 || status=$?
touch "$work/report.txt" "$work/report.json" # which a wrong command line does not write

# A server's words are in both: they must be no commands to the runner, nor Markdown.
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
echo "::stop-commands::$token"
cat "$work/report.txt" "$work/out"
echo "::$token::"
{
  printf '## How the MCP server fails\n\n'
  cat "$work/report.txt" "$work/out" | sed 's/^/    /'
} >>"$GITHUB_STEP_SUMMARY"
if ! grep -q '^  "error":' "$work/report.json"; then # of a server that was checked
  sed -n 's/^  "\(tier\|score\)": "\{0,1\}\([a-z0-9]*\)"\{0,1\},$/\1=\2/p' "$work/report.json" >>"$GITHUB_OUTPUT"
fi
finish "$status"
