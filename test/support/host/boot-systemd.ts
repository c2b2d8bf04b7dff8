// A separate systemd, booted with systemd-nspawn(1) from the programs that this machine has installed. Its root is an
// overlay whose changes stay in memory, and it has a network of its own. It runs one script and powers off.
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { missingProgram, missingRoot } from "../container/container.ts";

/** What to run in the booted system. */
export type Boot = {
  /** The path of a shell script on this machine. */
  readonly script: string;
  /** Directories of this machine, mounted read-only: target path by source path. */
  readonly mounts: Readonly<Record<string, string>>;
};

/** The reason why no systemd can be booted on this machine, or undefined. */
export function missingSystemd(): string | undefined {
  if (!existsSync("/lib/systemd/systemd")) return "systemd";
  return missingRoot() ?? missingProgram("systemd-nspawn") ?? missingOverlay();
}

// Tries it in a mount namespace of its own, so that no mount remains.
function missingOverlay(): string | undefined {
  const layers = "lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work";
  const mounts = `mount -t tmpfs tmpfs /mnt && mkdir /mnt/upper /mnt/work /mnt/root &&
    mount -t overlay -o ${layers} overlay /mnt/root`;
  return spawnSync("unshare", ["--mount", "sh", "-c", mounts]).status === 0 ? undefined : "an overlay of /";
}

const TARGET = `[Unit]
Requires=check.service
AllowIsolate=yes
`;

const SERVICE = `[Unit]
After=basic.target
[Service]
Type=oneshot
ExecStart=sh /check.sh
StandardOutput=file:/out/said
StandardError=file:/out/said
ExecStopPost=sh -c 'echo "status $EXIT_STATUS" >>/out/said'
ExecStopPost=systemctl --no-block --force poweroff
`;

/** The longest time for a boot with its script, in seconds; it takes ten on an idle machine. */
const TIMEOUT_S = 240;

/** Boots, and returns the script's output with its exit status in the last line. */
export function bootSystemd({ script, mounts }: Boot): string {
  const dir = mkdtempSync(join(tmpdir(), "outcall-boot-"));
  const [memory, root, out] = [join(dir, "memory"), join(dir, "root"), join(dir, "out")];
  for (const each of [memory, root, out]) mkdirSync(each);
  const mounted: string[] = [];
  const groups = bootGroups();
  const mount = (at: string, ...words: readonly string[]) => {
    run(["mount", ...words, at]);
    mounted.unshift(at);
  };
  try {
    mount(memory, "-t", "tmpfs", "-o", "size=4G", "tmpfs");
    for (const each of ["upper", "work"]) mkdirSync(join(memory, each));
    const layers = `lowerdir=/,upperdir=${join(memory, "upper")},workdir=${join(memory, "work")}`;
    mount(root, "-t", "overlay", "-o", layers, "overlay");
    copyFileSync(script, join(root, "check.sh"));
    const units = join(root, "etc", "systemd", "system");
    writeFileSync(join(units, "check.target"), TARGET);
    writeFileSync(join(units, "check.service"), SERVICE);
    // Without this, the system would use this machine's id as its own.
    rmSync(join(root, "etc", "machine-id"), { force: true });
    writeFileSync(join(root, "etc", "machine-id"), "uninitialized\n");
    const binds = Object.entries(mounts).map(([there, here]) => `--bind-ro=${here}:${there}`);
    const flags = ["--quiet", "--boot", "--register=no", "--keep-unit", "--private-network", "--link-journal=no"];
    const command = [
      ...["timeout", String(TIMEOUT_S), "systemd-nspawn", ...flags, `--directory=${root}`],
      ...[`--machine=${basename(dir).toLowerCase()}`, "--console=pipe", `--bind=${out}:/out`, ...binds],
      "systemd.unit=check.target",
    ];
    const [program = "", ...words] = command;
    const booted = spawnSync(program, words, { stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" });
    const said = join(out, "said");
    if (existsSync(said)) return readFileSync(said, "utf8");
    throw new Error(`nothing was run: status ${booted.status}: ${booted.stderr}${booted.stdout.slice(-2000)}`);
  } finally {
    for (const at of mounted) run(["umount", "--lazy", at]);
    for (const group of bootGroups()) {
      if (!groups.includes(group)) removeGroup(group);
    }
    rmSync(dir, { recursive: true });
  }
}

// The cgroups that systemd-nspawn(1) creates and does not remove.
function bootGroups(): readonly string[] {
  return globSync("/sys/fs/cgroup/{,*/}{payload,supervisor}");
}

// A group is busy as long as a process in it has not been reaped, which takes longer on a busy machine.
function removeGroup(group: string): void {
  const command = ["find", group, "-depth", "-type", "d", "-delete"];
  for (let tries = 0; tries < REMOVAL_TRIES; tries++) {
    const [program = "", ...words] = command;
    if (spawnSync(program, words).status === 0) return;
    spawnSync("sleep", ["0.2"]);
  }
  run(command);
}

/** How often the removal of a group is tried: for 10 seconds. */
const REMOVAL_TRIES = 50;

function run([program = "", ...words]: readonly string[]): void {
  const done = spawnSync(program, words, { encoding: "utf8" });
  if (done.status !== 0) throw new Error(`${program} ${words.join(" ")}: ${done.stderr}`);
}
