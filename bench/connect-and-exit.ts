// The least that a program can do that asks somebody on a Unix socket: it connects, and ends.
import { connect } from "node:net";

connect(process.argv[2] ?? "", () => process.exit(0));
