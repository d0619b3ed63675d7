import { type OperationName, operations } from "../../api/operations.ts";
import { NotFound } from "../kernel/errors.ts";
import type { Answer } from "./error-answer.ts";
import { openApiDocument } from "./openapi/document.ts";
import { type ViewerFile, viewerFiles } from "./viewer-files.ts";

/** Scripts and styles come from here alone; nothing may frame the page, and it may ask nobody but this service. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A year: the name of a file changes with what it holds. */
const FOR_GOOD = "public, max-age=31536000, immutable";

/** What is served to everybody about the interface itself, by its path below that of the version. */
export interface Reference {
  readonly [path: `/${string}`]: (params: Readonly<Record<string, string>>) => Promise<Answer>;
}

/** The interface's description and a page that shows it. Both are made when they are first asked for. */
export function makeReference(): Reference {
  const document = once(async () => JSON.stringify(openApiDocument(allOperations())));
  const files = once(viewerFiles);
  return {
    "/openapi.json": async () => ({ status: 200, headers: {}, body: await document() }),
    "/doc": async () => ({ status: 308, headers: { location: "doc/" }, body: "" }),
    "/doc/": async () => page(await files()),
    "/doc/:file": async ({ file }) => viewerFile(await files(), file ?? ""),
  };
}

function allOperations() {
  const names = Object.keys(operations).sort() as OperationName[];
  return names.map((name) => operations[name]);
}

function page(files: readonly ViewerFile[]): Answer {
  const links = files.map(({ name }) =>
    name.endsWith(".css")
      ? `<link rel="stylesheet" href="${name}">`
      : `<script src="${name}" defer></script>`,
  );
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Delivery Evidence Service API</title>
<link rel="icon" href="data:,">
${links.join("\n")}
</head>
<body>
<main id="reference"></main>
<noscript>This page needs JavaScript. The same in JSON: <a href="../openapi.json">openapi.json</a></noscript>
</body>
</html>
`;
  return {
    status: 200,
    headers: { ...safe("text/html; charset=utf-8"), "content-security-policy": CONTENT_SECURITY_POLICY },
    body,
  };
}

function viewerFile(files: readonly ViewerFile[], name: string): Answer {
  const file = files.find((candidate) => candidate.name === name);
  if (!file) throw new NotFound(`The reference page has no file '${name}'`);
  return {
    status: 200,
    headers: { ...safe(file.mediaType), "cache-control": FOR_GOOD },
    body: file.content,
  };
}

function safe(mediaType: string): Record<string, string> {
  return {
    "content-type": mediaType,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  };
}

/** Work that is done when it is first needed, and again only if it failed. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    });
    return done;
  };
}
