// A connection that several calls share. The daemon identifies its peer once for each connection, so a check-in and the
// request after it use the same one. A connection that the daemon closed is not used again.
import { Agent } from "node:http";

/** Stays open between calls; its creator closes it. */
export class Connection {
  /** The agent of node:http that the calls use; one socket at a time. */
  readonly agent: Agent = new Agent({ keepAlive: true, maxSockets: 1 });

  /** Closes the socket. */
  close(): void {
    this.agent.destroy();
  }
}
