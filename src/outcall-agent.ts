// outcall-agent, the shim: asks the daemon, and becomes the requested program if the daemon allows it.
import process from "node:process";
import { main } from "./agent/main.ts";

process.exit(await main({ argv: process.argv, argv0: process.argv0, environment: process.env }));
