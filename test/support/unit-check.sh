#!/bin/sh
# Runs inside a booted systemd (see boot-systemd.ts) with the unpacked archive at /archive: installs it, starts the unit and
# uses what the daemon needs its privileges and its writable places for. Prints one line for each thing; a failing command
# stops it there.
set -eu
say() { printf '%s\n' "$*"; }
state() { systemctl show -P "$1" outcalld; }
# A peer in a pid namespace of its own, as an ordinary user: a container by `--containers namespace`.
inside() { unshare --pid --fork --kill-child --mount-proc setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }

/archive/install.sh >/dev/null
printf 'OUTCALL_CONTAINERS=namespace\n' >/etc/outcall/outcalld.env
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
  - {id: hooked, condition: 'target == "hooked" && "caps" in enriched && enriched.caps == "0000000000081000"', action: allow}
  - {id: plain, condition: 'target == "plain"', action: allow}
RULES

systemctl daemon-reload
systemctl start outcalld
say "started: $(state ActiveState) $(state SubState)"
pid=$(state MainPID)
say "capabilities: $(sed -n 's/^CapBnd:\t//p' "/proc/$pid/status") $(sed -n 's/^CapEff:\t//p' "/proc/$pid/status")"
say "no new privileges: $(sed -n 's/^NoNewPrivs:\t//p' "/proc/$pid/status"), filter: $(sed -n 's/^Seccomp:\t//p' "/proc/$pid/status")"
say "modes: $(stat -c '%n %a' /run/outcall /run/outcalld /run/outcall/agent.sock /run/outcalld/host.sock /var/lib/outcall | tr '\n' ' ')"
say "bridge: $(outcall bridge status | head -n 1)"
say "allowed: $(inside outcall-agent check --type tool_exec --target plain >/dev/null && echo yes || echo no)"
say "denied: $(inside outcall-agent check --type tool_exec --target other >/dev/null 2>&1 && echo no || echo yes)"
say "by a hook: $(inside outcall-agent check --type tool_exec --target hooked >/dev/null && echo yes || echo no)"

printf 'version: "1"\nrules:\n  - {id: more, condition: target == "more", action: allow}\n' >/tmp/asked.yaml
mkdir -m 0777 /tmp/ids
# One container asks and tries what it got, since the rule holds in it alone.
inside sh -c '
  outcall-agent request submit /tmp/asked.yaml >/tmp/ids/id
  while [ ! -e /tmp/ids/approved ]; do sleep 0.1; done
  outcall-agent check --type tool_exec --target more >/dev/null && echo yes >/tmp/ids/verdict || echo no >/tmp/ids/verdict
' &
asking=$!
while [ ! -s /tmp/ids/id ]; do sleep 0.1; done
outcall rule approve "$(cat /tmp/ids/id)" >/dev/null
touch /tmp/ids/approved
wait "$asking"
say "approved: $(cat /tmp/ids/verdict)"

before=$(stat -c %i /run/outcall)
printf 'version: "1"\nrules: []\n' >/etc/outcall/rules.d/20-none.yaml
systemctl reload outcalld
systemctl restart outcalld
say "after a restart: $(state ActiveState), directory $([ "$before" = "$(stat -c %i /run/outcall)" ] && echo same || echo new), audit $(outcall log verify >/dev/null && echo whole)"
systemctl stop outcalld
say "stopped: $(state ActiveState) $(state Result), left: $(ls -d /run/outcall /run/outcalld 2>/dev/null | tr '\n' ' ')"
/archive/install.sh --uninstall | grep -v '^removed'
