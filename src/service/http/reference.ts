import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { NotFound } from "../kernel/errors.ts";
import type { Answer } from "./error-answer.ts";

/** Scripts and styles come only from this service, no page may frame this one, and it may send requests only here. */
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

/** A year, because a file's name changes with its content. */
const FOR_GOOD = "public, max-age=31536000, immutable";

type Reference = Record<`/${string}`, (params: Readonly<Record<string, string>>) => Promise<Answer>>;

export function makeReference(): Reference {
  const document = once(() => readFile(new URL("openapi.json", import.meta.url), "utf8"));
  const files = once(viewerFiles);
  return {
    "/openapi.json": async () => ({ status: 200, headers: {}, body: await document() }),
    "/doc": async () => ({ status: 308, headers: { location: "doc/" }, body: "" }),
    "/doc/": async () => page(await files()),
    "/doc/:file": async ({ file }) => viewerFile(await files(), file ?? ""),
  };
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
  if (!file) throw new NotFound("request.path_not_found", `The reference page has no file '${name}'`);
  return {
    status: 200,
    headers: { ...safe(file.mediaType), "cache-control": FOR_GOOD },
    body: file.content,
  };
}

/** Not hono's `secureHeaders`, which only affects responses sent by hono. These are written directly. */
function safe(mediaType: string): Record<string, string> {
  return {
    "content-type": mediaType,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  };
}

/** Runs work on first use, and again only if it failed. */
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

interface ViewerFile {
  readonly name: string;
  readonly mediaType: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** Displays the document. The validator, on another host, is turned off. */
const START = `SwaggerUIBundle({
  url: new URL("../openapi.json", location.href).href,
  dom_id: "#reference",
  deepLinking: true,
  displayOperationId: true,
  displayRequestDuration: true,
  docExpansion: "list",
  filter: true,
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
});
`;

const STYLE = `html { color-scheme: light; }
body { margin: 0; background: #fafafa; }
#reference .opblock-summary-operation-id { flex: none; max-width: none; opacity: 0.7; font-size: 13px; }
noscript { display: block; margin: 4rem auto; max-width: 40rem; font-family: sans-serif; }
`;

/** @throws NotFound if the viewer was not installed with the service */
async function viewerFiles(): Promise<ViewerFile[]> {
  const [style, script] = await Promise.all(["swagger-ui.css", "swagger-ui-bundle.js"].map(readViewerFile));
  return [
    versioned("swagger-ui", "css", style ?? new Uint8Array()),
    versioned("reference", "css", new TextEncoder().encode(STYLE)),
    versioned("swagger-ui-bundle", "js", script ?? new Uint8Array()),
    versioned("reference", "js", new TextEncoder().encode(START)),
  ];
}

function versioned(stem: string, type: "css" | "js", content: Uint8Array<ArrayBuffer>): ViewerFile {
  const version = hash("sha256", content).slice(0, 16);
  return {
    name: `${stem}.${version}.${type}`,
    mediaType: type === "css" ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8",
    content,
  };
}

async function readViewerFile(name: string): Promise<Uint8Array<ArrayBuffer>> {
  // The package has them beside this module; a checkout reads them from `node_modules`.
  const packed = fileURLToPath(new URL(`viewer/${name}`, import.meta.url));
  const path = existsSync(packed) ? packed : installedPath(name);
  return new Uint8Array(await readFile(path));
}

function installedPath(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
  } catch {
    throw new NotFound("request.path_not_found", "The reference page is not installed with this service");
  }
}
