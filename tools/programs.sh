#!/bin/sh
# Makes sure of the programs that `make test-documents` opens files with; root on Debian gets what is missing.
set -eu
programs='pdflatex xelatex pdftotext kpsewhich soffice localc'
files='lmodern.sty ctex.sty xeCJK.sty geometry.sty amsmath.sty'
packages='texlive-latex-base texlive-latex-recommended texlive-xetex texlive-lang-chinese lmodern fonts-noto-cjk poppler-utils libreoffice-calc'

complete() {
  for program in $programs; do command -v "$program" >/dev/null || return 1; done
  for file in $files; do kpsewhich "$file" >/dev/null || return 1; done
}

if complete; then exit 0; fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "these tests open files in other programs: install the packages $packages" >&2
  exit 3
fi
echo "installing $packages (some minutes, once)" >&2
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq >&2
# shellcheck disable=SC2086 # one argument each
apt-get install -y -qq --no-install-recommends $packages >/dev/null
