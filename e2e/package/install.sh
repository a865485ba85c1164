#!/usr/bin/env bash
# The package as people get it: packed, and installed by npm into an empty project.
set -euo pipefail
cd "$(dirname "$0")"

# Packed once before, where the package may be built anew at the same time.
[ -f packed/coppice.tgz ] || bash pack.sh
rm -rf project
mkdir project
echo '{ "private": true, "type": "module" }' >project/package.json
npm install --prefix project --no-audit --no-fund --ignore-scripts "$PWD/packed/coppice.tgz"
