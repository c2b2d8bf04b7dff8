#!/bin/sh
# Installs Outcall from the archive that contains this script, or uninstalls it. The script downloads nothing, starts
# nothing, and never touches rules, state or logs. It needs a POSIX shell, sha256sum and the usual core utilities.
set -eu

usage() {
  cat <<'TEXT'
usage: ./install.sh [--prefix DIR] [--destdir DIR]
       ./install.sh --uninstall [--prefix DIR] [--destdir DIR]

  --prefix DIR    install to DIR/bin, DIR/share and so on (default: /usr/local)
  --destdir DIR   prepend DIR to every path, for building packages (default: the variable DESTDIR)
  --uninstall     remove the installed files, except those that were changed since
  --help          print this text

As root, or with --destdir, the script also installs the systemd unit, its tmpfiles.d file and /etc/outcall/rules.d. Other
users need a prefix that they can write to, and get the programs, manual pages, completions and examples.
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

# The prefix becomes part of the systemd unit, so it must not contain characters with a meaning there.
prefix=${prefix%/}
case $prefix in
  /*) ;;
  *) die "the prefix \"$prefix\" is not an absolute path below /" 2 ;;
esac
case $prefix in
  *[!A-Za-z0-9/._+-]*) die "the prefix \"$prefix\" may contain only letters, digits and / . _ + -" 2 ;;
esac
case "$prefix/" in
  */../* | */./* | *//*) die "the prefix \"$prefix\" must not contain //, /./ or /../" 2 ;;
esac
destdir=${destdir%/}
case $destdir in
  '' | /*) ;;
  *) die "the destdir \"$destdir\" is not an absolute path" 2 ;;
esac

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
share=$prefix/share/outcall
manifest=$share/installed
# Lines of the manifest: `<sha256>  <path>` for a file, `directory  <path>` for a directory that the script created.
listed=

is_system=no
if [ -n "$destdir" ] || [ "$(id -u)" = 0 ]; then is_system=yes; fi

# systemd reads units from lib below /usr and /usr/local. With any other prefix, the unit goes to /etc.
case $prefix in
  /usr | /usr/local) system_lib=$prefix/lib unit_dir=$prefix/lib/systemd/system ;;
  *) system_lib=/etc unit_dir=/etc/systemd/system ;;
esac

sum_of() {
  command -v sha256sum >/dev/null || die "sha256sum is missing: install coreutils or busybox"
  sum_line=$(sha256sum <"$1") || die "cannot read \"$1\""
  printf '%s\n' "${sum_line%% *}"
}

# Creates a directory and its missing parents, and lists those it created.
make_directory() {
  if [ -d "$destdir$1" ]; then return; fi
  case $1 in ?*/*) make_directory "${1%/*}" ;; esac
  mkdir -- "$destdir$1" || die "cannot create the directory \"$destdir$1\""
  chmod 0755 "$destdir$1"
  listed="${listed}directory  $1
"
}

# place FILE TARGET MODE SHA256: replaces the target by a rename, so it is never incomplete and may be running.
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

# Prints the target path of a file of the archive; prints nothing for a file that is not installed.
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
  [ -f "$here/SHA256SUMS" ] || die "SHA256SUMS is missing next to this script: unpack the whole archive"
  while read -r sum path; do
    [ -f "$here/$path" ] || die "\"$path\" is missing in \"$here\": unpack the archive again"
    [ "$(sum_of "$here/$path")" = "$sum" ] || die "\"$path\" does not match SHA256SUMS: unpack the archive again"
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

# Prints the manifest of the installed version, if there is one.
read_manifest() { if [ -f "$destdir$manifest" ]; then cat -- "$destdir$manifest"; fi; }

# Removes the files in these manifest lines, and prints the names of changed files, which it keeps.
remove_files() {
  printf '%s\n' "$1" | while read -r sum path; do
    case $sum$path in
      '' | directory*) continue ;;
    esac
    [ -f "$destdir$path" ] || continue
    if [ "$(sum_of "$destdir$path")" = "$sum" ]; then
      rm -- "$destdir$path" || die "cannot remove \"$destdir$path\""
    else
      echo "kept, because it was changed: $destdir$path"
    fi
  done
}

# Removes the empty directories in these manifest lines, the deepest first.
remove_directories() {
  printf '%s\n' "$1" | sed -n 's/^directory  //p' | LC_ALL=C sort -r | while read -r path; do
    if [ -d "$destdir$path" ] && [ -z "$(ls -A -- "$destdir$path")" ]; then
      rmdir -- "$destdir$path" || die "cannot remove \"$destdir$path\""
    fi
  done
}

# Merges the manifest of the version before. Its directories stay listed. Files that this version no longer has stay listed
# if the argument is `keep`; otherwise they are put into `gone`, to be removed.
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

# Writes a manifest after a failed installation, so that it can be uninstalled or repeated.
after_failure() {
  if [ -n "$listed" ] && [ ! -e "$work/installed" ]; then
    sort_before keep
    write_manifest
  fi
}

do_install() {
  check_archive
  [ -z "$destdir" ] || mkdir -p -- "$destdir" || die "cannot create the directory \"$destdir\""
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
    echo "not run as root, so there is no systemd unit and no /etc/outcall; $prefix/bin/outcalld --help lists the directories that the daemon needs"
    return
  fi
  cat <<TEXT

Nothing was started. There are no rules yet, so the daemon will deny everything. Next steps:

  ls $share/examples/rules.d                 example rules; copy those that you need to /etc/outcall/rules.d
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
    if [ -e "$destdir$path" ]; then echo "kept, because it is yours: $destdir$path"; fi
  done
  echo "removed outcall below $destdir$prefix"
}

case $action in
  install) do_install ;;
  uninstall) do_uninstall ;;
esac
