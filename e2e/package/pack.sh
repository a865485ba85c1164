#!/usr/bin/env bash
# Packs what is built.
set -euo pipefail
cd "$(dirname "$0")"
rm -rf packed
mkdir packed
(cd ../.. && npm pack --ignore-scripts --silent --pack-destination e2e/package/packed)
mv packed/coppice-*.tgz packed/coppice.tgz
