#!/bin/sh
# Runs inside a booted systemd (see boot-systemd.ts) and follows docs/install.md. The command blocks of that page are files
# in /in, and the archives are in /archives. Between the blocks, the script uses the features for which the daemon needs its
# privileges and writable directories. It prints one line per step and stops at the first command that fails.
set -eu
say() { printf '%s\n' "$*"; }
state() { systemctl show -P "$1" outcalld; }
block() { say "== $1"; }
# Runs a command as an ordinary user in a new PID namespace, which is a container for `--containers namespace`.
inside() { unshare --pid --fork --kill-child --mount-proc setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
allowed() { if inside outcall-agent check --type tool_exec --target "$1" >/dev/null 2>&1; then echo yes; else echo no; fi; }
# Lists all files in the directories to which install.sh writes.
listing() { find /usr/local /etc/systemd /etc/tmpfiles.d /etc/outcall -printf '%p %m %y\n' 2>/dev/null | LC_ALL=C sort; }
trap 'status=$?; [ $status = 0 ] || cat /tmp/said; [ $status = 0 ] || journalctl --unit outcalld --no-pager --lines 40' EXIT

mkdir /tmp/release && cd /tmp/release && ln -s /archives/* .
listing >/tmp/before
block unpack
. /in/unpack-1.sh
block install
. /in/install-1.sh
mkdir /etc/outcall/rules.d/hooks
cat >/etc/outcall/rules.d/hooks/who.sh <<'HOOK'
#!/bin/sh
cat >/dev/null
printf '{"caps": "%s"}\n' "$(sed -n 's/^CapEff:\t//p' /proc/self/status)"
HOOK
chmod 0755 /etc/outcall/rules.d/hooks/who.sh
cat >/etc/outcall/rules.d/10-check.yaml <<'RULES'
version: "1"
rules:
  - {id: ask, condition: 'target == "hooked"', action: enrich, enrich: {script: hooks/who.sh, timeout_ms: 4000}, priority: 1}
  - id: hooked
    condition: target == "hooked" && "caps" in enriched && enriched.caps == "0000000000081000" && agent.name != ""
    action: allow
  - {id: plain, condition: 'target == "plain" && agent.name != ""', action: allow}
RULES
printf 'OUTCALL_CONTAINERS=namespace\n' >/etc/outcall/outcalld.env
. /in/install-2.sh >/tmp/said 2>&1
say "status: $(sed -n 's/^Bridge: *//p' /tmp/said), $(sed -n 's/^Rules: *\([^,]*\),.*/\1/p' /tmp/said)"
pid=$(state MainPID)
field() { sed -n "s/^$1:\t//p" "/proc/$pid/status"; }
say "started: $(state ActiveState) $(state SubState) $(systemctl is-enabled outcalld)"
say "capabilities: $(field CapBnd) $(field CapEff), no new privileges: $(field NoNewPrivs), filter: $(field Seccomp)"
say "modes: $(stat -c '%n %a' /run/outcall /run/outcalld /run/outcall/agent.sock /run/outcalld/host.sock /var/lib/outcall | tr '\n' ' ')"
say "bridge: $(outcall bridge status | head -n 1)"
say "allowed: $(allowed plain), $(allowed other), by a hook: $(allowed hooked)"

# The same container submits the request and uses the rule, because the rule holds only for this container.
mkdir -m 0777 /tmp/ids
printf 'version: "1"\nrules:\n  - {id: more, condition: target == "more", action: allow}\n' >/tmp/asked.yaml
inside sh -c '
  outcall-agent request submit /tmp/asked.yaml >/tmp/ids/id
  touch /tmp/ids/asked
  while [ ! -e /tmp/ids/approved ]; do sleep 0.1; done
  if outcall-agent check --type tool_exec --target more >/dev/null; then echo yes; else echo no; fi >/tmp/ids/verdict
' &
asking=$!
while [ ! -e /tmp/ids/asked ]; do sleep 0.1; done
outcall rule approve "$(cat /tmp/ids/id)" >/dev/null
touch /tmp/ids/approved
wait "$asking"
say "approved: $(cat /tmp/ids/verdict)"

block "the unit"
# The drop-in that the page adds for hooks must be accepted by systemd.
mkdir -p /etc/systemd/system/outcalld.service.d
cp /in/the-unit.ini /etc/systemd/system/outcalld.service.d/hooks.conf
# So is what it adds for the operators' group, which the restart below takes into use.
cp /in/operators-without-root.ini /etc/systemd/system/outcalld.service.d/operators.conf
groupadd outcall-operators
echo OUTCALL_OPERATORS_GROUP=outcall-operators >>/etc/outcall/outcalld.env
. /in/the-unit-1.sh >/tmp/said
say "lines of the journal: $(wc -l </tmp/said)"
block upgrade
before=$(stat -c %i /run/outcall)
listing >/tmp/installed
. /in/upgrade-1.sh >/dev/null
listing | diff - /tmp/installed
say "families: $(state RestrictAddressFamilies)"
say "operators: $(stat -c '%n %a %G' /run/outcalld /run/outcalld/host.sock | tr '\n' ' ')"
member() { setpriv --reuid=65534 --regid=outcall-operators --clear-groups "$@"; }
say "a member: $(member outcall status | sed -n 's/^State: *//p'), $(member outcall rule reload 2>&1 | head -n 1)"
say "started: $(state ActiveState), directory: $([ "$before" = "$(stat -c %i /run/outcall)" ] && echo the same), allowed: $(allowed plain)"
say "log: $(outcall log verify >/dev/null && echo whole)"
block inside
. /in/what-is-inside-1.sh >/tmp/said
say "glibc in the bill: $(grep -c '^glibc 2' /tmp/said)"
block uninstall
rm -r /etc/systemd/system/outcalld.service.d
. /in/uninstall-1.sh 2>/dev/null
say "stopped: $(state ActiveState), left: $(ls -d /run/outcall /run/outcalld 2>/dev/null)"
# Everything else is as it was before the installation.
rm -r /etc/outcall
listing | diff - /tmp/before && say "nothing else is left"
