import { type FileHandle, open, stat } from "node:fs/promises";
import { Tokenizer, TokenizerError, TokenParser, TokenParserError } from "@streamparser/json";
import { InputError } from "../api/client/errors.ts";
import type { PodEntry } from "../api/resources/reports.ts";
import { asObject, asText, isObject } from "../api/untyped.ts";
import { NotAPod } from "./pod.ts";
import { PodCollector } from "./pod-collector.ts";
import type { NamespaceSelection } from "./select.ts";

const ADVICE = "Write the file with `kubectl get pods --all-namespaces -o json`.";
const CHUNK_SIZE = 256 * 1024;
/** Byte order marks. Windows PowerShell writes UTF-16 with `>`. */
const UTF16_MARKS = ["fffe", "feff"];

export interface PodsFileOptions {
  path: string;
  selection: NamespaceSelection;
  onWarning: (message: string) => void;
}

/**
 * Reads `kubectl get pods -o json`: a list of pods, one pod, or several of either in a row. The file is streamed: 10,000
 * pods (97 MB in all) take about 2 s and 140 MiB.
 *
 * @throws {InputError} if the path is not a regular file, or its content is incomplete, not JSON, or not pods.
 */
export async function readPodsFile(options: PodsFileOptions): Promise<PodEntry[]> {
  await refuseUnlessRegular(options.path);
  const file = await open(options.path);
  try {
    return await collect(file, options);
  } finally {
    await file.close();
  }
}

/** Checked before opening, since opening a pipe waits for a writer. */
async function refuseUnlessRegular(path: string): Promise<void> {
  const found = await stat(path).catch((cause: unknown) => {
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    throw fault(`'${path}' ${isMissing ? "does not exist" : "cannot be read"}`, cause);
  });
  if (!found.isFile())
    throw fault(`'${path}' is ${found.isDirectory() ? "a directory" : "not a regular file"}`);
}

async function collect(file: FileHandle, { path, selection, onWarning }: PodsFileOptions) {
  const collector = new PodCollector(selection);
  const documents = new PodDocuments((pod) => collector.add(pod));
  try {
    for await (const chunk of chunksOf(file)) documents.write(chunk);
    documents.end();
  } catch (error) {
    if (!(error instanceof NotAPod)) throw fault(`'${path}' cannot be read`, error);
    throw fault(`'${path}': ${error.message} (near byte ${documents.position})`);
  }
  return collector.report(onWarning);
}

/** All chunks share one buffer, so each is valid only until the next is read. */
async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.alloc(CHUNK_SIZE);
  for (let first = true; ; first = false) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_SIZE);
    if (bytesRead === 0) return;
    if (first && UTF16_MARKS.includes(buffer.toString("hex", 0, 2))) {
      throw new NotAPod(
        "expected UTF-8, found UTF-16 (in PowerShell, `| Out-File -Encoding utf8` writes UTF-8)",
      );
    }
    yield buffer.subarray(0, bytesRead);
  }
}

/** Finds the pods in a stream of JSON documents. Each list item is passed on at its end, then dropped. */
class PodDocuments {
  position = 0;
  #count = 0;
  #inside = false;
  readonly #tokenizer = new Tokenizer({ separator: "" });
  readonly #onPod: (pod: unknown) => void;

  constructor(onPod: (pod: unknown) => void) {
    this.#onPod = onPod;
    const parser = new TokenParser({ paths: ["$", "$.items.*"], separator: "" });
    this.#tokenizer.onToken = (token) => {
      this.position = token.offset;
      // Other values would be kept in memory before they could be refused.
      if (!this.#inside && token.value !== "{") throw new NotAPod(`expected an object, found ${token.value}`);
      this.#inside = true;
      parser.write(token);
    };
    this.#tokenizer.onEnd = () => parser.end();
    parser.onValue = ({ value, parent, stack }) => {
      if (stack.length === 0) this.#endDocument(value);
      else onPod(value);
      if (Array.isArray(parent)) parent.length -= 1;
    };
  }

  /** @throws {NotAPod} */
  write(bytes: Uint8Array): void {
    orNotJson(() => this.#tokenizer.write(bytes));
  }

  /** @throws {NotAPod} when the last document is not complete, or there was none. */
  end(): void {
    if (this.#inside) throw new NotAPod("expected the rest of the JSON, found the end of the file");
    orNotJson(() => this.#tokenizer.end());
    if (this.#count === 0) throw new NotAPod("expected a list of pods, found an empty file");
  }

  #endDocument(document: unknown): void {
    this.#count += 1;
    this.#inside = false;
    if (!isObject(document) || !("items" in document)) {
      this.#onPod(document);
      return;
    }
    const { items, kind, metadata } = document;
    if (kind !== "PodList" && kind !== "List")
      throw new NotAPod(`expected a list of pods, found ${asText(kind)}`);
    if (!Array.isArray(items)) throw new NotAPod("expected a list of pods, found `items` that is not a list");
    if (asObject(metadata)["continue"]) {
      throw new NotAPod("expected a whole list, found one page of a longer one (metadata.continue is set)");
    }
  }
}

/** Replaces the parser's messages, which quote the file, including every container's environment variables. */
function orNotJson(parse: () => void): void {
  try {
    parse();
  } catch (error) {
    if (error instanceof TokenizerError || error instanceof TokenParserError) {
      throw new NotAPod("expected JSON, found something else");
    }
    throw error;
  }
}

function fault(problem: string, cause?: unknown): InputError {
  return new InputError([{ input: "pods-file", problem }], {
    advice: ADVICE,
    ...(cause !== undefined && { cause }),
  });
}
