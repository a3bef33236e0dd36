#!/bin/sh
# Makes sure of the browser that the tests open pages in; root on Debian gets it installed where it is missing.
set -eu
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null; then exit 0; fi
done
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo 'the tests open pages in a browser: install the packages chromium and fonts-noto-cjk (or Google Chrome)' >&2
  exit 3
fi
echo 'installing chromium and fonts-noto-cjk (a minute or two, once)' >&2
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq >&2
apt-get install -y -qq --no-install-recommends chromium fonts-noto-cjk >/dev/null
