#!/bin/sh
# Installs Outcall from the archive that this script lies in, or removes it again. It fetches nothing, starts nothing,
# and never touches rules, state or logs. POSIX sh; needs sha256sum and the usual small programs.
set -eu

usage() {
  cat <<'TEXT'
usage: ./install.sh [--prefix DIR] [--destdir DIR]
       ./install.sh --uninstall [--prefix DIR] [--destdir DIR]

  --prefix DIR    where it goes: DIR/bin, DIR/share and so on; /usr/local unless told otherwise
  --destdir DIR   put in front of every path, for who makes a package (DESTDIR in the environment does the same)
  --uninstall     remove what was installed, but nothing that was changed since
  --help          this text

As root, or with --destdir, the systemd unit, its tmpfiles.d file and /etc/outcall/rules.d come along. Other users get the
programs, manual pages, completions and examples, below a prefix of their own.
TEXT
}

die() {
  printf 'install.sh: %s\n' "$1" >&2
  exit "${2:-1}"
}

prefix=/usr/local
destdir=${DESTDIR:-}
action=install
while [ $# -gt 0 ]; do
  case $1 in
    --prefix | --destdir)
      [ $# -ge 2 ] || die "$1 needs a directory; see --help" 2
      if [ "$1" = --prefix ]; then prefix=$2; else destdir=$2; fi
      shift
      ;;
    --prefix=*) prefix=${1#*=} ;;
    --destdir=*) destdir=${1#*=} ;;
    --uninstall) action=uninstall ;;
    --help | -h)
      usage
      exit 0
      ;;
    *) die "unknown argument \"$1\"; see --help" 2 ;;
  esac
  shift
done

# The prefix becomes part of the unit, so it holds nothing that means something there.
prefix=${prefix%/}
case $prefix in
  /*) ;;
  *) die "the prefix \"$prefix\" is not an absolute path below /" 2 ;;
esac
case $prefix in
  *[!A-Za-z0-9/._+-]*) die "the prefix \"$prefix\" may hold letters, digits and / . _ + - alone" 2 ;;
esac
case "$prefix/" in
  */../* | */./* | *//*) die "the prefix \"$prefix\" must be written without . and .." 2 ;;
esac
destdir=${destdir%/}
case $destdir in
  '' | /*) ;;
  *) die "the destdir \"$destdir\" is not an absolute path" 2 ;;
esac

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
share=$prefix/share/outcall
manifest=$share/installed
# Lines of the manifest: `<sha256>  <path>` for a file, `directory  <path>` for a directory that was made.
listed=

is_system=no
if [ -n "$destdir" ] || [ "$(id -u)" = 0 ]; then is_system=yes; fi

# Where systemd looks: below /usr and /usr/local in lib, for any other prefix in /etc.
case $prefix in
  /usr | /usr/local) system_lib=$prefix/lib unit_dir=$prefix/lib/systemd/system ;;
  *) system_lib=/etc unit_dir=/etc/systemd/system ;;
esac

sum_of() {
  command -v sha256sum >/dev/null || die "sha256sum is missing: install coreutils or busybox"
  sum_line=$(sha256sum <"$1") || die "cannot read \"$1\""
  printf '%s\n' "${sum_line%% *}"
}

# Makes a directory with those above it, and notes which were not there.
make_directory() {
  if [ -d "$destdir$1" ]; then return; fi
  case $1 in ?*/*) make_directory "${1%/*}" ;; esac
  mkdir -- "$destdir$1" || die "cannot make the directory \"$destdir$1\""
  chmod 0755 "$destdir$1"
  listed="${listed}directory  $1
"
}

# place FILE TARGET MODE SHA256: the file appears whole, also where the old one is running.
place() {
  make_directory "${2%/*}"
  [ ! -d "$destdir$2" ] || die "\"$destdir$2\" is a directory"
  aside=$destdir$2.new.$$
  if ! { cp -- "$1" "$aside" && chmod "$3" "$aside" && mv -f -- "$aside" "$destdir$2"; }; then
    rm -f -- "$aside"
    die "cannot write \"$destdir$2\""
  fi
  listed="$listed$4  $2
"
}

# The place of a file of the archive, or nothing for one that stays there.
target_of() {
  case $1 in
    bin/*) echo "$prefix/$1" ;;
    man/*) echo "$prefix/share/$1" ;;
    completions/outcall.bash) echo "$prefix/share/bash-completion/completions/outcall" ;;
    completions/_outcall) echo "$prefix/share/zsh/site-functions/_outcall" ;;
    completions/outcall.fish) echo "$prefix/share/fish/vendor_completions.d/outcall.fish" ;;
    systemd/*) [ $is_system = no ] || echo "$unit_dir/${1#*/}" ;;
    tmpfiles.d/*) [ $is_system = no ] || echo "$system_lib/$1" ;;
    install.sh | SHA256SUMS) ;;
    *) echo "$share/$1" ;;
  esac
}

check_archive() {
  [ -f "$here/SHA256SUMS" ] || die "no SHA256SUMS beside this script: unpack the whole archive"
  while read -r sum path; do
    [ -f "$here/$path" ] || die "\"$path\" is missing in \"$here\": unpack the archive again"
    [ "$(sum_of "$here/$path")" = "$sum" ] || die "\"$path\" is not what SHA256SUMS says: unpack the archive again"
  done <"$here/SHA256SUMS"
}

install_files() {
  while read -r sum path; do
    target=$(target_of "$path")
    [ -n "$target" ] || continue
    source=$here/$path
    mode=0644
    case $path in
      bin/*) mode=0755 ;;
      systemd/*)
        sed "s|/usr/local/bin/|$prefix/bin/|" "$source" >"$work/unit"
        source=$work/unit
        sum=$(sum_of "$source")
        ;;
    esac
    place "$source" "$target" "$mode" "$sum"
  done <"$here/SHA256SUMS"
  if [ $is_system = yes ]; then make_directory /etc/outcall/rules.d; fi
}

# The lines of the manifest that is there, if any.
read_manifest() { if [ -f "$destdir$manifest" ]; then cat -- "$destdir$manifest"; fi; }

# Removes the files of these lines that are as they were installed, and says what it leaves.
remove_files() {
  printf '%s\n' "$1" | while read -r sum path; do
    case $sum$path in
      '' | directory*) continue ;;
    esac
    [ -f "$destdir$path" ] || continue
    if [ "$(sum_of "$destdir$path")" = "$sum" ]; then
      rm -- "$destdir$path" || die "cannot remove \"$destdir$path\""
    else
      echo "left, since it was changed: $destdir$path"
    fi
  done
}

# Removes the directories of these lines that are empty, the deepest first.
remove_directories() {
  printf '%s\n' "$1" | sed -n 's/^directory  //p' | LC_ALL=C sort -r | while read -r path; do
    if [ -d "$destdir$path" ] && [ -z "$(ls -A -- "$destdir$path")" ]; then
      rmdir -- "$destdir$path" || die "cannot remove \"$destdir$path\""
    fi
  done
}

# Takes the lines of the manifest that was there before: directories stay noted; files that this version has no longer stay
# noted too when the first word is `keep`, else they are gone.
sort_before() {
  gone=
  while read -r sum path; do
    if [ -z "$sum" ] || is_listed "$path"; then continue; fi
    line="$sum  $path
"
    if [ "$sum" = directory ] || [ "$1" = keep ]; then listed=$listed$line; else gone=$gone$line; fi
  done <<TEXT
$before
TEXT
}

is_listed() { case $listed in *"  $1
"*) ;; *) return 1 ;; esac; }

write_manifest() {
  printf '%s' "$listed" | LC_ALL=C sort -k 2 >"$work/installed"
  place "$work/installed" "$manifest" 0644 -
}

# What a broken installation left can be removed, or installed over.
after_failure() {
  if [ -n "$listed" ] && [ ! -e "$work/installed" ]; then
    sort_before keep
    write_manifest
  fi
}

do_install() {
  check_archive
  [ -z "$destdir" ] || mkdir -p -- "$destdir" || die "cannot make the directory \"$destdir\""
  before=$(read_manifest)
  work=$(mktemp -d)
  trap 'status=$?; [ $status = 0 ] || after_failure; rm -rf -- "$work"; exit $status' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  install_files
  sort_before remove
  remove_files "$gone"
  write_manifest
  say_next
}

say_next() {
  echo "installed outcall $(cat "$here/VERSION") below $destdir$prefix"
  [ -z "$destdir" ] || return 0
  if [ $is_system = no ]; then
    echo "without root: no unit, no /etc/outcall; $prefix/bin/outcalld --help names the directories that it needs"
    return
  fi
  cat <<TEXT

Nothing is started. No rule is installed, so everything will be denied. Next:

  ls $share/examples/rules.d                 rules to start from; copy what fits to /etc/outcall/rules.d
  $prefix/bin/outcall lint /etc/outcall/rules.d
  systemctl daemon-reload
  systemctl enable --now outcalld
  $prefix/bin/outcall doctor
TEXT
}

do_uninstall() {
  [ -f "$destdir$manifest" ] || die "nothing is installed below \"$destdir$prefix\": \"$destdir$manifest\" is missing"
  lines=$(read_manifest)
  remove_files "$lines"
  rm -- "$destdir$manifest" || die "cannot remove \"$destdir$manifest\""
  remove_directories "$lines"
  for path in /etc/outcall/rules.d /etc/outcall/outcalld.env /var/lib/outcall; do
    if [ -e "$destdir$path" ]; then echo "left, it is yours: $destdir$path"; fi
  done
  echo "removed outcall below $destdir$prefix"
}

case $action in
  install) do_install ;;
  uninstall) do_uninstall ;;
esac
