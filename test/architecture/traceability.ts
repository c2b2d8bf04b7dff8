// test/traceability.md -> rows, and their faults: an id without a row, a row without a test, a test that does not
// exist.
import { VARIABLE_PART } from "./test-titles.ts";

/** An id of the specification: a requirement, scenario, interface, edge case or criterion, or a part of one. */
const ID = /S00[34]-(?:US|FR|AS|IF|EC|SC)-\d{3}(?:\.[a-z])?/;
const ROW = new RegExp(`^\\| (${ID.source}) \\| (.+?) \\| (.+) \\|$`);
const REFERENCE = /^`([\w./-]+): (.+)`$/;
const IDS = new RegExp(`^${ID.source}(?:, ${ID.source})*$`);

/** Keeps a row short: it names the tests that show most, not every test on the matter. */
const REFERENCES_LIMIT = 3;

/** A test: its file below `test/`, and its title or that of its group. */
export type TestReference = { readonly file: string; readonly title: string };

/** A row: the tests of an id, or the ids that it leads to; or a cell that is neither. */
export type Row = {
  readonly id: string;
  readonly tests: readonly TestReference[];
  readonly ids: readonly string[];
  readonly unread: readonly string[];
};

/** Returns the titles in a file below `test/`, or undefined if the file does not exist. */
export type FindTitles = (file: string) => readonly string[] | undefined;

/** The ids in a text without duplicates, in order of first mention. */
export function idsIn(text: string): readonly string[] {
  return [...new Set(text.match(new RegExp(ID.source, "g")))];
}

/** The ids that the last section of the agent API's specification abbreviates: the edge cases, and the criteria. */
export function idsOfSectionEight(text: string): readonly string[] {
  const section = text.slice(text.indexOf("\n## 8."));
  const cases = [...section.matchAll(/^\| (EC-\d{3}) \|/gm)].map(([, id]) => `S004-${id}`);
  const last = Math.max(0, ...[...section.matchAll(/\bSC-(\d{3})\b/g)].map(([, number]) => Number(number)));
  const criteria = Array.from({ length: last }, (_, at) => `S004-SC-${String(at + 1).padStart(3, "0")}`);
  return [...cases, ...criteria];
}

/** The rows of the page's tables. */
export function readRows(page: string): readonly Row[] {
  return page.split("\n").flatMap((line) => {
    const [, id, , shown] = ROW.exec(line) ?? [];
    return id === undefined || shown === undefined ? [] : [readRow(id, shown.split("<br>"))];
  });
}

function readRow(id: string, cells: readonly string[]): Row {
  const tests: TestReference[] = [];
  const ids: string[] = [];
  const unread: string[] = [];
  for (const cell of cells) {
    const [, file, title] = REFERENCE.exec(cell) ?? [];
    if (file !== undefined && title !== undefined) tests.push({ file, title });
    else if (IDS.test(cell)) ids.push(...cell.split(", "));
    else unread.push(cell);
  }
  return { id, tests, ids, unread };
}

/** The faults of the rows, one line each. */
export function rowFaults(rows: readonly Row[], ids: readonly string[], find: FindTitles): readonly string[] {
  const known = new Map(rows.map((row) => [row.id, row]));
  const missing = ids.filter((id) => !known.has(id)).map((id) => `${id}: no row`);
  const extra = rows.filter(({ id }) => !ids.includes(id)).map(({ id }) => `${id}: no id of the specification`);
  const twice = rows.filter((row) => known.get(row.id) !== row).map(({ id }) => `${id}: two rows`);
  return [...missing, ...extra, ...twice, ...rows.flatMap((row) => faultsOfRow(row, known, find))];
}

function faultsOfRow(row: Row, known: ReadonlyMap<string, Row>, find: FindTitles): readonly string[] {
  const unread = row.unread.map((cell) => `${row.id}: neither a test nor ids: ${cell}`);
  const many = row.tests.length > REFERENCES_LIMIT ? [`${row.id}: over ${REFERENCES_LIMIT} tests`] : [];
  const tests = row.tests.filter(({ file, title }) => find(file)?.includes(title) !== true)
    .map(({ file, title }) => `${row.id}: no test ${file}: ${title}`);
  // An id must lead directly to rows with tests, so that readers need one step.
  const lost = row.ids.filter((id) => known.get(id)?.ids.length !== 0).map((id) =>
    `${row.id}: ${id} has no row of tests`
  );
  const may = /-(US|SC)-/.test(row.id) || row.ids.length === 0 ? [] : [`${row.id}: names ids and not tests`];
  return [...unread, ...many, ...tests, ...lost, ...may];
}

/** Scenarios and edge cases whose row names no test in `test/e2e` with a title that starts with the id. */
export function nameFaults(rows: readonly Row[], ids: readonly string[], titles: readonly string[]): readonly string[] {
  const named = ids.filter((id) => /-(AS|EC)-/.test(id));
  return named.flatMap((id) => {
    const isOwn = (title: string) => title === id || new RegExp(`^${id}[ ,:]`).test(title);
    const own = rows.find((row) => row.id === id)?.tests ?? [];
    return [
      ...(titles.some(isOwn) ? [] : [`${id}: no test in test/e2e has a title that begins with it`]),
      ...(own.some(({ file, title }) => file.startsWith("e2e/") && isOwn(title))
        ? []
        : [`${id}: its row has not that test`]),
    ];
  });
}

/** Whether a title is computed at run time, so that the page could not show it. */
export function saysNothing({ title }: TestReference): boolean {
  return !/[a-z]/i.test(title.replaceAll(VARIABLE_PART, "").replaceAll(/\$\w+|%\w/g, ""));
}
