#!/bin/sh
# Makes sure of programs that are not ours; root on Debian gets what is missing: `tools/programs.sh browser`, or `documents`.
set -eu
case "${1:-}" in
  browser) # that the tests open pages in
    what='the tests open pages in a browser (Google Chrome will do)' take='a minute or two'
    packages='chromium fonts-noto-cjk'
    complete() {
      for name in chromium chromium-browser google-chrome; do
        if command -v "$name" >/dev/null; then return 0; fi
      done
      return 1
    }
    ;;
  documents) # that `make test-documents` opens files with
    what='these tests open files in other programs' take='some minutes'
    packages='texlive-latex-base texlive-latex-recommended texlive-xetex texlive-lang-chinese lmodern fonts-noto-cjk poppler-utils libreoffice-calc'
    complete() {
      for program in pdflatex xelatex pdftotext kpsewhich soffice localc; do
        command -v "$program" >/dev/null || return 1
      done
      for file in lmodern.sty ctex.sty xeCJK.sty geometry.sty amsmath.sty; do
        kpsewhich "$file" >/dev/null || return 1
      done
    }
    ;;
  *)
    echo "usage: $0 browser|documents" >&2
    exit 2
    ;;
esac

if complete; then exit 0; fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "$what: install the packages $packages" >&2
  exit 3
fi
echo "installing $packages ($take, once)" >&2
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq >&2
# shellcheck disable=SC2086 # one argument each
apt-get install -y -qq --no-install-recommends $packages >/dev/null
