# Shared by the scripts beside this folder: says where the repository is, finds Swift, installs Debian packages.
# It is sourced, so it only defines things, apart from one scratch folder that goes away at exit.
# Exit codes are those of the command line: 1 the check failed, 2 bad usage, 3 could not reach or start something.
# shellcheck shell=bash

# Empty, so that `cd` neither searches elsewhere nor prints.
CDPATH=

# The repository's root, in any working directory of the caller.
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)

scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# What a build needs, and what the tests need besides.
build_packages=(libuv1-dev libsqlite3-dev libssl-dev libwslay-dev libedit-dev libpg-query-dev pkg-config)
test_packages=(libhttp-parser-dev sqlite3 netcat-openbsd python3 curl tzdata)
# What tests compare with, complete in or open, which are skipped without it.
peer_packages=(postgresql prometheus mandoc zsh fish chromium)

# Progress and errors go to standard error, so that standard output holds the result and nothing else.
note() { printf '%s\n' "$*" >&2; }

# Ends with one sentence that says what is missing, and exit code 3.
cannot_start() {
  note "$*"
  exit 3
}

# Ends with one sentence that says what would be right, and exit code 2.
bad_usage() {
  note "$*"
  exit 2
}

# quietly LABEL COMMAND...: on a terminal the command's own progress; elsewhere one line, and the log only if it fails.
quietly() {
  local label=$1 status=0
  shift
  note "$label ..."
  if [ -t 2 ]; then
    "$@" >&2 </dev/null || status=$?
  else
    "$@" >"$scratch/log" 2>&1 </dev/null || status=$?
    if [ "$status" -ne 0 ]; then cat -- "$scratch/log" >&2; fi
  fi
  if [ "$status" -ne 0 ]; then note "$label failed (exit code $status)"; fi
  return "$status"
}

# swift_is_new_enough SWIFT: whether that program is Swift 6.2 or newer.
swift_is_new_enough() {
  local version major minor
  version=$("$1" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9]*\)\.\([0-9][0-9]*\).*/\1 \2/p' | head -n 1)
  read -r major minor <<<"$version" || return 1
  [ -n "$minor" ] && { [ "$major" -gt 6 ] || { [ "$major" -eq 6 ] && [ "$minor" -ge 2 ]; }; }
}

# Puts a Swift 6.2 or newer first in PATH, from where installers usually leave one, or ends.
need_swift() {
  local found="" candidate
  for candidate in "$(command -v swift || true)" /opt/swift/usr/bin/swift "${HOME:-}/.local/share/swiftly/bin/swift"; do
    [ -n "$candidate" ] && [ -x "$candidate" ] || continue
    if swift_is_new_enough "$candidate"; then
      PATH=$(dirname -- "$candidate"):$PATH
      return
    fi
    found="$found $candidate"
  done
  if [ -n "$found" ]; then
    cannot_start "Swift 6.2 or newer is needed, and$found is older: install one from https://www.swift.org/install/linux"
  fi
  cannot_start "Swift 6.2 or newer is needed and no 'swift' is in PATH: install it from https://www.swift.org/install/linux"
}

# is_there PACKAGE: whether a Debian package is installed, or, on another system, whether what it would bring is.
is_there() {
  if command -v dpkg-query >/dev/null; then
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
    return
  fi
  case $1 in
    libuv1-dev) pkg-config --exists libuv 2>/dev/null ;;
    libsqlite3-dev) pkg-config --exists sqlite3 2>/dev/null ;;
    libssl-dev) pkg-config --exists libcrypto 2>/dev/null ;;
    libedit-dev) pkg-config --exists libedit 2>/dev/null ;;
    # These have no file for pkg-config.
    libwslay-dev) dpkg-query --status libwslay-dev >/dev/null 2>&1 ;;
    libhttp-parser-dev) [ -e /usr/include/http_parser.h ] || [ -e /usr/local/include/http_parser.h ] ;;
    libpg-query-dev) [ -e /usr/include/pg_query.h ] || [ -e /usr/local/include/pg_query.h ] ;;
    tzdata) [ -e "${TZDIR:-/usr/share/zoneinfo}/Europe/Zurich" ] ;;
    netcat-openbsd) command -v nc >/dev/null ;;
    prometheus) command -v promtool >/dev/null ;;
    postgresql) compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

# apt_get ARGUMENTS...: as root, waiting for another apt instead of failing beside it.
apt_get() {
  local command=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 "$@")
  if [ "$(id -u)" -ne 0 ]; then command=(sudo -n "${command[@]}"); fi
  "${command[@]}"
}

# need_packages PACKAGE...: installs those that are missing; touches nothing where all are there.
need_packages() {
  local package missing=()
  for package in "$@"; do
    is_there "$package" || missing+=("$package")
  done
  [ "${#missing[@]}" -gt 0 ] || return 0
  if ! command -v apt-get >/dev/null; then
    cannot_start "Missing, and there is no apt-get to install them with: what Debian calls ${missing[*]}"
  fi
  if [ "$(id -u)" -ne 0 ] && ! sudo -n true 2>/dev/null; then
    cannot_start "Missing packages, and installing them needs root: sudo apt-get install ${missing[*]}"
  fi
  quietly "updating the package list" apt_get update || note "going on with the package list that is there"
  quietly "installing ${missing[*]}" apt_get install --no-install-recommends "${missing[@]}" \
    || cannot_start "These Debian packages could not be installed: ${missing[*]}"
}

# want_packages PACKAGE...: installs those that are missing, and says so where that cannot be done.
want_packages() { (need_packages "$@") || note "going on without $*"; }

# Sets `zonekit` to the built program, the newest one; builds it if there is none.
need_zonekit() {
  local candidate
  zonekit=""
  for candidate in "$root/.build/release/zonekit" "$root/.build/debug/zonekit"; do
    if [ -x "$candidate" ] && { [ -z "$zonekit" ] || [ "$candidate" -nt "$zonekit" ]; }; then zonekit=$candidate; fi
  done
  if [ -z "$zonekit" ]; then build_release; fi
}

# What makes the loader bind all symbols at the start, and protect the addresses that it fills in.
hardened=(-Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now)

# Builds the release and sets `zonekit` to it. The standard library is linked in: the program starts faster and runs
# where no Swift is. Builds in two folders are equal: the program does not name the folder, it has neither debug information,
# which names the folder's hash, nor hashes of its modules, and the optimizer does not unroll loops, which it does in an order
# that depends on the addresses of its objects (the unrolling of LLVM stays).
build_release() {
  need_swift
  need_packages "${build_packages[@]}"
  quietly "building zonekit (release)" \
    swift build --package-path "$root" -c release --product zonekit --static-swift-stdlib \
    -Xswiftc -Xllvm -Xswiftc -sil-disable-pass=loop-unroll \
    -debug-info-format none -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
    -Xswiftc -file-prefix-map -Xswiftc "$root=." -Xcc "-ffile-prefix-map=$root=." \
    "${hardened[@]}" \
    || cannot_start "zonekit could not be built; the lines above say why"
  zonekit=$root/.build/release/zonekit
}

# become COMMAND...: what `exec` does, after the scratch folder is gone (exec runs no exit trap).
become() {
  rm -rf -- "$scratch"
  exec "$@"
}
