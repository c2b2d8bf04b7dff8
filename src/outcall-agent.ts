// The shim: asks the daemon, and only when it is allowed becomes the program that was asked for.
import process from "node:process";
import { main } from "./agent/main.ts";

process.exit(await main({ argv: process.argv, argv0: process.argv0, environment: process.env }));
