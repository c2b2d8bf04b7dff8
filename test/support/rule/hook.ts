// A rules directory with scripts, and checks of the processes that the scripts start.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The time in which the kernel ends a killed process, even on a busy machine. */
const ENDED_WITHIN_MS = 20_000;

/** A directory for scripts; removed at the end of the scope. */
export class ScriptDir {
  readonly path = mkdtempSync(join(tmpdir(), "outcall-hook-"));

  /** Writes a file, by default an executable script. */
  write(name: string, text: string, mode = 0o755): string {
    const path = join(this.path, name);
    writeFileSync(path, text, { mode });
    return path;
  }

  /** Writes a shell script that first writes its pid, which is also its process group, to the file `group`. */
  writeShell(name: string, body: string): string {
    return this.write(name, `#!/bin/sh\necho $$ > group\n${body}\n`);
  }

  /** The text of a file of the directory. */
  read(name: string): string {
    return readFileSync(join(this.path, name), "utf8");
  }

  /**
   * Waits until a process group has no processes left; by default the group that a script wrote last. A killed process
   * may still exist for a moment.
   */
  async allEnded(group = Number(this.read("group"))): Promise<void> {
    const deadline = performance.now() + ENDED_WITHIN_MS;
    while (processesOf(group) > 0) {
      if (performance.now() > deadline) throw new Error(`${processesOf(group)} processes of group ${group} are left`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** The number of living processes in a group, without zombies. */
export function processesOf(group: number): number {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isLivingIn(name, group)).length;
}

function isLivingIn(pid: string, group: number): boolean {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    // The process ended after the directory was read.
    return false;
  }
  const [state, , processGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(processGroup) === group && state !== "Z" && state !== "X";
}
