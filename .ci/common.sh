# What the scripts of this folder share; bash reads it with source, in the root of the tree.
# shellcheck shell=bash disable=SC2034 # other scripts use the names

lint_version=v2.15.0
actionlint_version=v1.7.12
goreleaser_version=v2.15.0
sbom_version=v1.10.0
apidiff_version=v0.0.0-20261014143641-f0251eb4aa3e
govulncheck_version=v1.9.0
temporal_version=v1.5.1 # go install refuses v1.9.1, whose go.mod replaces a module
tools=${TOOLS:-$PWD/.tools}
module=github.com/mcp-toolerr/toolerr-go
mkdir -p "$tools"

step() { printf '\n== %s %s\n' "$(date +%T)" "$*"; }

fail() {
  printf '%s: %s\n' "$0" "$*" >&2
  exit 1
}

# ensure NAME VERSION PACKAGE installs a program into .tools, if it is not there.
ensure() {
  [ "$(cat "$tools/$1.version" 2>/dev/null)" = "$2" ] && [ -x "$tools/$1" ] && return
  GOBIN=$tools go install "$3@$2"
  echo "$2" >"$tools/$1.version"
}

# modules prints the folders of the nested modules.
modules() { find . -mindepth 2 -name go.mod -not -path './.tools/*' -not -path '*/testdata/*' -not -path '*/node_modules/*' -exec dirname {} \; | sed 's|^\./||' | sort; }

# released prints the folders of the modules that people import or install, the root first: each has tags of its own.
released() { echo . && modules | grep -v '^examples/\|^internal/' && echo examples/grade; }

# tidy FOLDER checks that a go.mod is tidy. A go.work beside it holds what it must not replace itself.
tidy() {
  cp "$1/go.mod" "$tools/tidy.mod"
  cp "$1/go.sum" "$tools/tidy.sum"
  if [ -f "$1/go.work" ]; then sed -n 's/^\t\(.* => .*\)/replace \1/p' "$1/go.work" >>"$tools/tidy.mod"; fi
  GOWORK=off go -C "$1" mod tidy -modfile="$tools/tidy.mod" -diff
}

# path FOLDER and tag FOLDER VERSION print the path of a module, and its tag in git.
path() { [ "$1" = . ] && echo "$module" || echo "$module/$1"; }
tag() { [ "$1" = . ] && echo "$2" || echo "$1/$2"; }

# packages prints the import paths of a module's packages that people import, from its folder.
packages() { go list -f '{{if ne .Name "main"}}{{.ImportPath}}{{end}}' ./... | sed '/\/internal\(\/\|$\)\|\/examples\//d'; }

# entry prints the heading of the changelog's first entry, without its mark.
entry() { sed -n 's/^## //p' .github/CHANGELOG.md | head -n 1; }

# debian PROGRAM PACKAGE... installs the packages whose programs are missing.
debian() {
  local missing=""
  while [ $# -gt 0 ]; do
    [ -n "$(compgen -G "$1")" ] || command -v "$1" >/dev/null || missing="$missing $2"
    shift 2
  done
  [ -n "$missing" ] || return 0
  local sudo
  sudo=$(command -v sudo || true)
  $sudo apt-get update -qq
  # shellcheck disable=SC2086 # names, none with a space
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

# packages_of_npm FOLDER installs what its package-lock.json names.
packages_of_npm() { (cd "$1" && npm ci --ignore-scripts --no-audit --no-fund --silent); }

# vet PLATFORM... builds and vets each module that people import for platforms.
vet() {
  local platform folder
  for platform; do
    echo "-- $platform"
    for folder in $(released); do
      (cd "$folder" && GOOS=${platform%/*} GOARCH=${platform#*/} CGO_ENABLED=0 go vet -p 2 ./...)
    done
  done
}
