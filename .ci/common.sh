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
modules() { find . -mindepth 2 -name go.mod -not -path './.tools/*' -not -path '*/node_modules/*' -exec dirname {} \; | sed 's|^\./||' | sort; }

# released prints the folders of the modules that people import, the root first: each has tags of its own.
released() { echo . && modules | grep -v '^examples/\|^internal/'; }

# path FOLDER and tag FOLDER VERSION print the path of a module, and its tag in git.
path() { [ "$1" = . ] && echo "$module" || echo "$module/$1"; }
tag() { [ "$1" = . ] && echo "$2" || echo "$1/$2"; }

# packages prints the import paths of a module's packages that people import, from its folder.
packages() { go list -f '{{if ne .Name "main"}}{{.ImportPath}}{{end}}' ./... | grep -v '/internal\(/\|$\)\|/examples/'; }

# entry prints the heading of the changelog's first entry, without its mark.
entry() { sed -n 's/^## //p' .github/CHANGELOG.md | head -n 1; }
