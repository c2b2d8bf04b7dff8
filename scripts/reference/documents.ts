// The files of `docs/reference`, by name. `bun run reference` writes them, and a test compares them with the disk.
import { PAGES } from "../man.ts";
import { AGENT_SOCKET, HOST_SOCKET } from "./sockets.ts";
import { apiPage } from "./api-page.ts";
import { errorsPage } from "./errors-page.ts";
import { openApiOf } from "./openapi.ts";
import { PROGRAM_NOTES } from "./program-notes.ts";
import { programPage } from "./program-page.ts";
import { rulePage } from "./rule-page.ts";
import { rulespecPage } from "./rulespec-page.ts";

/** Every file of the reference: its name and its text. */
export function referenceFiles(): ReadonlyMap<string, string> {
  const agent = { file: "agent-api.openapi.json", reference: AGENT_SOCKET, document: openApiOf(AGENT_SOCKET) };
  const host = { file: "host-api.openapi.json", reference: HOST_SOCKET, document: openApiOf(HOST_SOCKET) };
  const programs = Object.entries(PROGRAM_NOTES).flatMap(([name, notes]) =>
    PAGES.filter(({ program }) => program.name === name).map((each) =>
      [`${name}.md`, programPage(each, notes)] as const
    )
  );
  return new Map([
    ...programs,
    ...[agent, host].map(({ file, document }) => [file, `${JSON.stringify(document, null, 2)}\n`] as const),
    ["api.md", apiPage([agent, host])],
    ["rule-language.md", rulePage()],
    ["rulespec.md", rulespecPage()],
    ["errors.md", errorsPage([AGENT_SOCKET, HOST_SOCKET])],
  ]);
}
