import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { NotFound } from "../kernel/errors.ts";

/** A file of the reference page, under a name that changes with what it holds. */
export interface ViewerFile {
  readonly name: string;
  readonly mediaType: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** Shows the document. Nothing is asked of other hosts: the viewer's own validator would be. */
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

/**
 * The files the page needs, in the order it names them.
 *
 * @throws NotFound when the viewer was not installed with the service
 */
export async function viewerFiles(): Promise<ViewerFile[]> {
  const [style, script] = await Promise.all(["swagger-ui.css", "swagger-ui-bundle.js"].map(readViewerFile));
  return [
    versioned("swagger-ui", "css", style ?? new Uint8Array()),
    versioned("reference", "css", new TextEncoder().encode(STYLE)),
    versioned("swagger-ui-bundle", "js", script ?? new Uint8Array()),
    versioned("reference", "js", new TextEncoder().encode(START)),
  ];
}

function versioned(stem: string, type: "css" | "js", content: Uint8Array<ArrayBuffer>): ViewerFile {
  const version = createHash("sha256").update(content).digest("hex").slice(0, 16);
  return {
    name: `${stem}.${version}.${type}`,
    mediaType: type === "css" ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8",
    content,
  };
}

async function readViewerFile(name: string): Promise<Uint8Array<ArrayBuffer>> {
  // The package holds them beside this module; a checkout takes them from where they were installed.
  const packed = fileURLToPath(new URL(`viewer/${name}`, import.meta.url));
  const path = existsSync(packed) ? packed : installedPath(name);
  return new Uint8Array(await readFile(path));
}

function installedPath(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
  } catch {
    throw new NotFound("The reference page is not installed with this service");
  }
}
