// The baseline for the daemon's memory: one Elysia route and nothing else. It creates a file once it listens.
import { writeFileSync } from "node:fs";
import { Elysia } from "elysia";

new Elysia().get("/", () => "ok").listen({ port: 0, hostname: "127.0.0.1" }, () => {
  writeFileSync(process.argv[2] ?? "", "");
});
