// The smallest server that can answer on a listener like the daemon's: a Unix socket of node:net in front of node:http,
// with a handler that reads the body and always sends the same answer. With the argument `elysia`, an Elysia app with
// one route answers.
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer } from "node:net";
import { Elysia } from "elysia";

const ANSWER = JSON.stringify({ success: true, data: { allowed: true, matched_rule: null, reason: null } });

const [kind = "bare", path = ""] = process.argv.slice(2);
const app = new Elysia().post("/v1/permissions/check", () => ANSWER);
const http = createHttpServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
  let text = "";
  incoming.on("data", (chunk) => (text += String(chunk)));
  incoming.on("end", () => void (kind === "elysia" ? answerByApp(incoming, outgoing, text) : answer(outgoing, ANSWER)));
});
createServer((socket) => http.emit("connection", socket)).listen(path, () => undefined);

async function answerByApp(incoming: IncomingMessage, outgoing: ServerResponse, body: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const request = new Request(`http://outcall.local${incoming.url}`, { method: "POST", headers, body });
  answer(outgoing, await (await app.handle(request)).text());
}

function answer(outgoing: ServerResponse, text: string): void {
  outgoing.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  outgoing.end(text);
}
