// Runs inside a container and forwards every connection to the first path to the second path. So a test outside can
// speak to the daemon, byte by byte, as a process of that container. Prints `ready` when it listens, and exits at the
// end of its input.
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
