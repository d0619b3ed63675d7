import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forbiddenModules } from "./forbidden-modules.ts";
import { forbiddenNames } from "./forbidden-names.ts";
import { inEachFile, type TypedFile } from "./typed-program.ts";
import { callsWithoutDispatcher } from "./undici-calls.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

function refused(project: string, folder: string): string[] {
  return inEachFile(project, folder, (file: TypedFile) => [
    ...forbiddenNames(file),
    ...forbiddenModules(file),
    ...callsWithoutDispatcher(file),
  ]);
}

test("the sources send requests only through a dispatcher, start programs only with runProgram and @actions/exec, and evaluate no code from text", () => {
  expect(refused(join(root, "src/tsconfig.json"), join(root, "src"))).toEqual([]);
}, 120_000);

describe("a source is rejected", () => {
  let scratch = "";
  let found: string[] = [];

  /** Code of a file, with the expected finding. */
  const wrong: Readonly<Record<string, readonly [code: string, finding: string]>> = {
    fetch: ["export const a = fetch('https://a.example');", "uses the global fetch"],
    "fetch under another name": ["const ask = fetch;\nexport const a = ask('x');", "uses the global fetch"],
    "fetch in an object": ["export const a = { fetch };", "uses the global fetch"],
    "fetch of globalThis": ["export const a = globalThis.fetch('x');", "uses the global globalThis"],
    "fetch by a name in brackets": ["export const a = globalThis['fetch'];", "uses the global globalThis"],
    "fetch by destructuring": ["export const { fetch: a } = global;", "uses the global global"],
    FormData: ["export const a = new FormData();", "uses the global FormData"],
    "a class that extends FormData": ["export class A extends FormData {}", "uses the global FormData"],
    WebSocket: ["export const a = new WebSocket('wss://a.example');", "uses the global WebSocket"],
    XMLHttpRequest: ["export const a = new XMLHttpRequest();", "uses the global XMLHttpRequest"],
    eval: ["export const a = eval('1');", "uses the global eval"],
    "eval called indirectly": ["export const a = (0, eval)('1');", "uses the global eval"],
    "new Function": ["export const a = new Function('return 1');", "uses the global Function"],
    "Function without new": ["export const a = Function('return 1');", "uses the global Function"],
    "the constructor of a function": [
      "export const a = (() => 1).constructor('1');",
      "uses the member constructor",
    ],
    "process.binding": ["export const a = process.binding('fs');", "uses the member binding"],
    "process.binding in brackets": ["export const a = process['binding'];", "uses the member binding"],
    "a computed member of process": [
      "export const a = (b: 'pid') => process[b];",
      "uses a computed member of process",
    ],
    "process.dlopen": ["process.dlopen({ exports: {} }, 'a.node');\nexport {};", "uses the member dlopen"],
    child_process: ["export { spawn } from 'node:child_process';", "imports node:child_process"],
    "child_process without its prefix": [
      "import { spawn } from 'child_process';\nexport const a = spawn;",
      "imports child_process",
    ],
    "child_process imported dynamically": [
      "export const a = await import('node:child_process');",
      "imports node:child_process",
    ],
    "child_process as a builtin": [
      "export const a = process.getBuiltinModule('child_process');",
      "imports child_process",
    ],
    "an import with a computed name": [
      "export const a = (b: string) => import(b);",
      "imports a computed module name",
    ],
    vm: ["import vm from 'node:vm';\nexport const a = vm;", "imports node:vm"],
    "a created require": [
      "import { createRequire } from 'node:module';\nexport const a = createRequire;",
      "imports node:module",
    ],
    "http as a client": [
      "import { request } from 'node:http';\nexport const a = request;",
      "imports request of node:http",
    ],
    "all of https": [
      "import * as https from 'node:https';\nexport const a = https;",
      "imports all of node:https",
    ],
    "undici's fetch without options": [
      "import { fetch } from 'undici';\nexport const a = fetch('x');",
      "uses undici's fetch without a dispatcher",
    ],
    "undici's fetch with other options": [
      "import { fetch as ask } from 'undici';\nexport const a = ask('x', { method: 'POST' });",
      "uses undici's fetch without a dispatcher",
    ],
    "undici's fetch with a spread that may override the dispatcher": [
      "import { Agent, fetch } from 'undici';\nexport const a = (o: object) => fetch('x', { dispatcher: new Agent(), ...o });",
      "uses undici's fetch without a dispatcher",
    ],
    "undici's request without options": [
      "const { request } = await import('undici');\nexport const a = request('x');",
      "uses undici's request without a dispatcher",
    ],
    "undici's request by its module": [
      "import * as undici from 'undici';\nexport const a = undici.request('x');",
      "uses undici's request without a dispatcher",
    ],
    "undici's fetch as a value": [
      "import { fetch } from 'undici';\nexport const a = [fetch];",
      "uses undici's fetch without a dispatcher",
    ],
    "a part of undici without a receiver": [
      "import connect from 'undici/lib/api/api-connect.js';\nexport const a = connect({ path: '/' });",
      "uses undici's connect without a dispatcher",
    ],
    "a part of undici called on undefined": [
      "import ask from 'undici/lib/api/api-connect.js';\nexport const a = ask.call(undefined, { path: '/' });",
      "uses undici's ask without a dispatcher",
    ],
    "a part of undici bound to another object": [
      "import connect from 'undici/lib/api/api-connect.js';\nexport const a = connect.bind({});",
      "uses undici's connect without a dispatcher",
    ],
    "a global dispatcher": [
      "import { Agent, setGlobalDispatcher } from 'undici';\nsetGlobalDispatcher(new Agent());",
      "uses undici's setGlobalDispatcher without a dispatcher",
    ],
  };

  const right: Readonly<Record<string, string>> = {
    "types only": "export type A = FormData; export const a = (b: typeof fetch) => typeof b;",
    "fetch with a dispatcher":
      "import { Agent, fetch } from 'undici';\nexport const a = fetch('x', { method: 'GET', dispatcher: new Agent() });",
    "a part of undici on a dispatcher":
      "import connect from 'undici/lib/api/api-connect.js';\nimport Agent from 'undici/lib/dispatcher/agent.js';\nexport const a = connect.call(new Agent(), { path: '/' });",
    "a method named fetch": "export const a = (app: { fetch(): void }) => app.fetch();",
    "a function of the same name": "const fetch = () => 1;\nexport const a = fetch();",
    "a property of the name": "export const a = { fetch: 1, eval: 2 };",
    "a builtin by name": "export const a = process.getBuiltinModule('node:sqlite');",
    "http as a server":
      "import { createServer, type Agent } from 'node:http';\nexport const a = (_: Agent) => createServer();",
  };

  beforeAll(() => {
    scratch = realpathSync(mkdtempSync(join(tmpdir(), "evidence-forbidden-")));
    symlinkSync(join(root, "node_modules"), join(scratch, "node_modules"), "junction");
    put("package.json", { type: "module" });
    put("tsconfig.json", { extends: join(root, "tsconfig.json"), include: ["src"] });
    cpSync(join(root, "src/net/undici.d.ts"), join(scratch, "src/undici.d.ts"));
    for (const [name, [code]] of Object.entries(wrong)) put(`src/wrong/${name}.ts`, code);
    for (const [name, code] of Object.entries(right)) put(`src/right/${name}.ts`, code);
    found = refused(join(scratch, "tsconfig.json"), join(scratch, "src"));
  }, 60_000);
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  function put(path: string, content: unknown): void {
    mkdirSync(dirname(join(scratch, path)), { recursive: true });
    writeFileSync(join(scratch, path), typeof content === "string" ? content : JSON.stringify(content));
  }

  const findingsOf = (file: string) =>
    found.flatMap((text) => (text.startsWith(`${file}:`) ? [text.replace(/^[^:]+:\d+ /, "")] : []));

  test.for(Object.entries(wrong))("for %s", ([name, [code, finding]]) => {
    expect(findingsOf(`wrong/${name}.ts`), code).toContain(finding);
  });

  test.for(Object.keys(right))("but not for %s", (name) => {
    expect(findingsOf(`right/${name}.ts`)).toEqual([]);
  });
});
