#!/usr/bin/env bash
# Builds the image without an image registry and starts it. Needs root on Debian. CI runs this.
#
# The base comes from Debian's packages, the Node.js of package-lock.json and this machine's npm. Mirrors and
# registries are those that this machine is configured for. ffmpeg and Chromium are left out to save time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

missing=()
for tool in mmdebstrap buildah; do
  command -v "$tool" >/dev/null || missing+=("$tool")
done
if [ ${#missing[@]} -gt 0 ]; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q
  apt-get install -y -q --no-install-recommends "${missing[@]}"
fi

work=$(mktemp -d)
# The overlay driver shares the files of layers. The vfs driver copies them, but works on every system.
driver=overlay
if ! command buildah --root "$work/probe" --runroot "$work/probe-run" --storage-driver overlay \
  from scratch >/dev/null 2>&1; then
  driver=vfs
fi
storage=(--root "$work/storage" --runroot "$work/run" --storage-driver "$driver")
buildah() {
  command buildah "${storage[@]}" "$@"
}
server=
clean_up() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" || true; fi
  buildah rm --all >/dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT

echo "base, stored with $driver: Debian's essential packages ($SECONDS s)"
base=$(buildah from scratch)
root=$(buildah mount "$base")
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' \
  'Created-By: Packages' 'Origin: Debian' >"$work/sources.list"
mmdebstrap --quiet --mode=root --variant=essential --include=passwd,libstdc++6 --format=directory \
  --dpkgopt=force-unsafe-io \
  "$codename" "$root" "$work/sources.list"
mkdir -p "$root/usr/local/bin" "$root/usr/local/etc" "$root/usr/local/lib/node_modules" "$root/etc/ssl/certs"
cp node_modules/node-linux-*/bin/node "$root/usr/local/bin/node"
cp -r "$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")" "$root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
npm config get registry | sed 's/^/registry=/' >"$root/usr/local/etc/npmrc"
echo 'cafile=/etc/ssl/certs/ca-certificates.crt' >>"$root/usr/local/etc/npmrc"
buildah umount "$base" >/dev/null
buildah commit -q --rm "$base" plaza-base >/dev/null

echo "image: deploy/Containerfile ($SECONDS s)"
buildah bud --isolation chroot --format docker --file deploy/Containerfile --tag plaza \
  --build-arg BASE=localhost/plaza-base --build-arg WITH_FFMPEG=no . >"$work/build.log" 2>&1 || {
  cat "$work/build.log"
  exit 1
}

echo "start: the command of the image ($SECONDS s)"
container=$(buildah from localhost/plaza)
run() {
  buildah run --isolation chroot "$container" -- "$@"
}
mapfile -t command < <(buildah inspect "$container" | node -e '
  const { config } = JSON.parse(require("node:fs").readFileSync(0)).Docker
  console.log([...config.Entrypoint, ...config.Cmd].join("\n"))')
port=$(node -e '
  const { createServer } = require("node:net")
  const server = createServer().listen(0, () => { console.log(server.address().port); server.close() })')
buildah config --env "PORT=$port" "$container"
# Calls buildah directly instead of by the functions above, so that $! is the process id of buildah.
command buildah "${storage[@]}" run --isolation chroot "$container" -- "${command[@]}" \
  >"$work/server.log" 2>&1 &
server=$!
for ((i = 0; ; i++)); do
  if run node deploy/health.mjs 2>/dev/null; then break; fi
  if [ "$i" -eq 30 ] || ! kill -0 "$server"; then
    cat "$work/server.log"
    exit 1
  fi
  sleep 1
done
run plaza --version
run id -un | grep -x plaza
curl -fsSw '\n' "http://127.0.0.1:$port/api/health"
curl -fsS -H 'Accept: text/html' "http://127.0.0.1:$port/" | grep -o '<title>[^<]*</title>'
kill "$server"
# After the signal, the exit code is that of buildah and not of the server.
wait "$server" || true
server=
echo "stopped ($SECONDS s)"
