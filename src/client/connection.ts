// A connection that several calls share. The daemon identifies its peer once for each connection, so a check-in and the
// question after it go over the same one; a connection that the daemon closed is not used again.
import { Agent } from "node:http";

/** Kept open between calls; whoever made it closes it. */
export class Connection {
  /** What the calls hold on to; one socket at a time. */
  readonly agent: Agent = new Agent({ keepAlive: true, maxSockets: 1 });

  /** Closes the socket. */
  close(): void {
    this.agent.destroy();
  }
}
