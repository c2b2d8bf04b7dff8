// The smallest program that asks over a Unix socket: it connects and exits.
import { connect } from "node:net";

connect(process.argv[2] ?? "", () => process.exit(0));
