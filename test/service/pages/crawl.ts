import type { Seen, Visitor } from "./visitor.ts";

/** A page, and the page that links to it. */
export interface Found extends Seen {
  readonly path: string;
  readonly from: string;
}

/** No test service has more pages than this. */
const MOST_PAGES = 2_000;

/** Which of the links are the same, so that one of them is followed. */
type SameAs = (path: string) => string;

/** The kind of a page is its path without the names of records. */
export function kindOf(path: string): string {
  const [, ...steps] = new URL(path, HERE).pathname.split("/");
  return steps.map((step, index) => (index % 2 === 0 ? "*" : step)).join("/");
}

/**
 * One link for each page without a query, and for each kind of page and its parameters. Access does not depend on the
 * values of a query, nor do its parameters depend on the record.
 */
export const byParameters: SameAs = (path) => {
  const { pathname, searchParams } = new URL(path, HERE);
  const parameters = new Set(searchParams.keys());
  return parameters.size === 0 ? pathname : [kindOf(path), ...parameters].join(" ");
};

/** A table as CSV has the query of its page, which is followed too: each table of one page of a kind proves the links. */
const oneOfTables: SameAs = (path) => {
  const table = new URL(path, HERE).searchParams.get("table");
  return table === null ? path : `${byParameters(path)} ${table}`;
};

/**
 * Follows every link from a page on, to pages and to files they load, until all are followed. API addresses and other
 * hosts are skipped.
 */
export async function crawl(visitor: Visitor, start: string, sameAs: SameAs = oneOfTables): Promise<Found[]> {
  const found: Found[] = [];
  const known = new Set([sameAs(start)]);
  const waiting: { path: string; from: string }[] = [{ path: start, from: "" }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (found.length > MOST_PAGES)
      throw new Error(`There are more than ${MOST_PAGES} pages, the last is ${next.path}`);
    const seen = await visitor.get(next.path);
    found.push({ ...next, ...seen });
    const location = seen.headers["location"];
    const leads = typeof location === "string" ? [location] : linksIn(seen);
    for (const link of leads) {
      const path = pathOf(link, next.path);
      // Every list of deployments links the same weeks.
      const isSameWeek = /[?&]from=/.test(path ?? "") && next.path.includes("/deployments?");
      if (path === undefined || isSameWeek || known.has(sameAs(path))) continue;
      known.add(sameAs(path));
      waiting.push({ path, from: next.path });
    }
  }
  return found;
}

function linksIn({ headers, text }: Seen): string[] {
  if (!String(headers["content-type"]).startsWith("text/html")) return [];
  return [...text.matchAll(/<(?:a|link|script|img)\b[^>]*?\b(?:href|src)="([^"]*)"/g)].map(([, link = ""]) =>
    decoded(link),
  );
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", quot: '"', "#39": "'", lt: "<", gt: ">" };

function decoded(text: string): string {
  return text.replace(/&(amp|quot|#39|lt|gt);/g, (all, name: string) => ENTITIES[name] ?? all);
}

const HERE = "http://here.invalid";

function pathOf(link: string, from: string): string | undefined {
  const url = URL.parse(link, HERE + from);
  if (url === null || url.origin !== HERE || url.pathname.startsWith("/api/")) return undefined;
  return url.pathname + url.search;
}
