import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

/** Imports from inside a package, not by its name alone. A new version may move it. */
interface InnerPath {
  readonly why: string;
  /** Whether the export that we use exists. */
  check(): Promise<void>;
}

const { resolve } = createRequire(import.meta.url);

const INNER_PATHS: Readonly<Record<string, InnerPath>> = {
  "@actions/core/lib/command.js": {
    why: "Writes workflow commands. The index also loads an OIDC client and all of undici, which doubles startup time.",
    async check() {
      const { issueCommand } = await import("../node_modules/@actions/core/lib/command.js");
      expect(issueCommand).toBeTypeOf("function");
    },
  },
  "@sigstore/tuf/seeds.json": {
    why: "The root of the public instance, which the package contains for its own first start and exports.",
    async check() {
      const { default: seeds } = await import("@sigstore/tuf/seeds.json", { with: { type: "json" } });
      expect(Object.keys(seeds)).toContain("https://tuf-repo-cdn.sigstore.dev");
    },
  },
  "ajv/dist/2020.js": {
    why: "JSON Schema 2020-12; the index has draft 07 only. Ajv's documentation names this path.",
    async check() {
      const { Ajv2020 } = await import("ajv/dist/2020.js");
      const isPair = new Ajv2020({ strict: false }).compile({
        prefixItems: [{ type: "string" }, { type: "number" }],
      });
      expect([isPair(["a", 1]), isPair(["a", "b"])]).toEqual([true, false]);
    },
  },
  "jq-wasm/dist/build/jq.js": {
    why: "Restarts jq where one run may have damaged it. The index keeps one instance for all runs.",
    async check() {
      const { default: startJq } = await import("jq-wasm/dist/build/jq.js");
      expect(startJq).toBeTypeOf("function");
    },
  },
  "@hono/node-server/utils/response": {
    why: "Tells the adapter that a response was written already. The adapter exports it.",
    async check() {
      const { RESPONSE_ALREADY_SENT } = await import("@hono/node-server/utils/response");
      expect(RESPONSE_ALREADY_SENT).toBeInstanceOf(Response);
    },
  },
  "kysely/helpers/postgres": {
    why: "Selects rows as one JSON text in PostgreSQL. Kysely exports it.",
    async check() {
      expect((await import("kysely/helpers/postgres")).jsonArrayFrom).toBeTypeOf("function");
    },
  },
  "kysely/helpers/sqlite": {
    why: "Selects rows as one JSON text in SQLite. Kysely exports it.",
    async check() {
      expect((await import("kysely/helpers/sqlite")).jsonArrayFrom).toBeTypeOf("function");
    },
  },
  "rolldown/utils": {
    why: "Parses TypeScript with its comments. Rolldown exports it.",
    async check() {
      const { parseSync } = await import("rolldown/utils");
      expect(parseSync("a.ts", "/** One. */ const a: number = 1;").comments).toHaveLength(1);
    },
  },
  "swagger-ui-dist/package.json": {
    why: "Locates the page of the interface's reference, which is copied into the package.",
    async check() {
      expect(resolve("swagger-ui-dist/package.json")).toContain("swagger-ui-dist");
    },
  },
  "swagger-ui-dist/${name}": {
    why: "The files of that page, which the service sends unchanged.",
    async check() {
      for (const name of ["swagger-ui.css", "swagger-ui-bundle.js"]) {
        expect(resolve(`swagger-ui-dist/${name}`)).toContain(name);
      }
    },
  },
  "undici/lib/api/api-connect.js": {
    why: "Opens tunnels through a proxy. Undici's index would load it for every dispatcher.",
    async check() {
      expect((await import("undici/lib/api/api-connect.js")).default).toBeTypeOf("function");
    },
  },
  "undici/lib/dispatcher/agent.js": {
    why: "Opens the connections of a request without a proxy. Imported alone to shorten startup.",
    async check() {
      const { default: Agent } = await import("undici/lib/dispatcher/agent.js");
      await new Agent().destroy();
    },
  },
  "hono/router/trie-router": {
    why: "Takes routes of which one is a prefix of another. Hono exports it.",
    async check() {
      const { TrieRouter } = await import("hono/router/trie-router");
      const router = new TrieRouter<string>();
      router.add("GET", "/:name", "one");
      expect(router.match("GET", "/a")[0].map(([handler]) => handler)).toEqual(["one"]);
    },
  },
  "undici/lib/core/connect.js": {
    why: "Opens the connections that the guard of outgoing requests checks. Imported alone to shorten startup.",
    async check() {
      const { default: makeConnector } = await import("undici/lib/core/connect.js");
      expect(makeConnector({})).toBeTypeOf("function");
    },
  },
  "undici/lib/core/symbols.js": {
    why: "Gives access to a connection's parser, which fails at an unrequested 100 Continue.",
    async check() {
      const { default: symbols } = await import("undici/lib/core/symbols.js");
      expect([typeof symbols.kSocket, typeof symbols.kParser]).toEqual(["symbol", "symbol"]);
    },
  },
  "undici/lib/dispatcher/pool.js": {
    why: "Opens the connections through a proxy to one host. Imported alone to shorten startup.",
    async check() {
      const { default: Pool } = await import("undici/lib/dispatcher/pool.js");
      await new Pool("http://localhost").destroy();
    },
  },
  "undici/lib/dispatcher/proxy-agent.js": {
    why: "Opens the connections of a request with a proxy. Imported alone to shorten startup.",
    async check() {
      const { default: ProxyAgent } = await import("undici/lib/dispatcher/proxy-agent.js");
      await new ProxyAgent("http://localhost").destroy();
    },
  },
  "yaml/package.json": {
    why: "Locates the ES modules of the package, of which bundles leave out the half that writes YAML.",
    async check() {
      const { parse } = await import(
        resolve("yaml/package.json").replace("package.json", "browser/dist/index.js")
      );
      expect(parse("a: 1")).toEqual({ a: 1 });
    },
  },
  "zod/mini": {
    why: "The part of zod that bundles small. Zod exports it. We also read a schema's definition in its _zod.def.",
    async check() {
      const z = await import("zod/mini");
      const { shape, type } = z.object({ names: z.optional(z.array(z.string())) })._zod.def;
      const { def } = shape.names._zod;
      expect([
        type,
        def.type,
        def.innerType._zod.def.type,
        def.innerType._zod.def.element._zod.def.type,
      ]).toEqual(["object", "optional", "array", "string"]);
    },
  },
};

const root = fileURLToPath(new URL("..", import.meta.url));
/** A package's name and the path after it, in an import or a `resolve`, or by the path of its folder. */
const REACHED =
  /(?:\bfrom|\bimport|\bimport\(|\bresolve\()\s*["'`](?:(?:\.\.?\/)+node_modules\/)?((?:@[\w.-]+\/)?[\w.-]+\/[^"'`]+)["'`]/g;

describe("an inner path of a package", () => {
  test.each(Object.entries(INNER_PATHS))(
    "%s exists, with the export that we use",
    async (_, { why, check }) => {
      expect(why).not.toBe("");
      await check();
    },
  );

  test("is one of those listed here, and each of them is used", () => {
    const found = globSync("{src,scripts}/**/*.ts", { cwd: root })
      .filter((path) => !path.endsWith(".d.ts") && !path.endsWith("vitest.config.ts"))
      .flatMap((path) => [...readFileSync(join(root, path), "utf8").matchAll(REACHED)])
      .map(([, name = ""]) => name)
      .filter((name) => !/^(?:\.|@[^/]+\/[^/]+$)/.test(name));
    expect([...new Set(found)].sort()).toEqual(Object.keys(INNER_PATHS).sort());
  });
});
