// Run inside a container: every connection to the first path is handed on to the second, so that a test outside speaks to
// the daemon as a process of that container, byte by byte. Prints `ready` when it listens and ends with its input.
import net from "node:net";

const [listenPath = "", socketPath = ""] = process.argv.slice(2);

const server = net.createServer({ allowHalfOpen: true }, (outside) => {
  const inside = net.connect({ path: socketPath, allowHalfOpen: true });
  for (const [from, to] of [[outside, inside], [inside, outside]] as const) {
    from.on("data", (chunk) => to.write(chunk));
    from.on("end", () => to.end());
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroySoon());
  }
});
server.listen(listenPath, () => process.stdout.write("ready\n"));
process.stdin.on("end", () => process.exit(0));
process.stdin.resume();
