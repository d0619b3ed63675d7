import { describe, expect, it } from "vitest";
import type { OperationName } from "../../src/api/resources/operations.ts";
import { expectInvalid } from "./refusal.ts";
import type { Target, WireRequest } from "./target.ts";

/** Returns a valid request; a new one each time, so that nothing is sent twice. */
export type MakeRequest = () => WireRequest | Promise<WireRequest>;

/** A change to a valid body, and the field that is then invalid, with its message. */
export type InvalidBody = readonly [change: object, field: string, text: string];

export const REQUIRED = "Field required";
export const EXTRA = "Extra inputs are not permitted";
export const PATTERN = "String should match pattern";
/** The message, if another test checks it. */
export const ANY = /./;

/** Tests that each of these changes makes a body invalid. A field that is set to undefined is omitted. */
export function invalidBodies(
  { ask }: Target,
  operation: OperationName,
  make: MakeRequest,
  cases: readonly InvalidBody[],
  message?: string | RegExp,
): void {
  describe(`${operation} refuses a body with`, () => {
    it.each(cases.map((each) => ({ change: described(each[0]), field: each[1], each })))(
      "$change, naming $field",
      async ({ each: [change, field, text] }) => {
        const right = await make();
        const body = { ...Object(right.body), ...change };
        await expectInvalid(ask(operation, { ...right, body }), { [field]: text }, message);
      },
    );
  });
}

/** Tests that each of these queries is refused for its one parameter. */
export function invalidQueries(
  { ask }: Target,
  operation: OperationName,
  make: MakeRequest,
  cases: readonly (readonly [query: Readonly<Record<string, unknown>>, parameter: string, text: string])[],
): void {
  describe(`${operation} refuses the query`, () => {
    it.each(cases.map((each) => ({ text: described(each[0]), each })))(
      "$text",
      async ({ each: [query, parameter, text] }) => {
        const right = await make();
        const sent = ask(operation, { ...right, query: { ...right.query, ...query } });
        await expectInvalid(sent, { [`query.${parameter}`]: text });
      },
    );
  });
}

/** Valid and invalid names of a pattern, built on a unique name. */
export interface NameCases {
  /** Characters that are allowed within a name. */
  readonly within: string;
  /** Characters that are not allowed anywhere. */
  readonly never: string;
  /** Whether a name must start with a letter or digit. */
  readonly plainStart: boolean;
}

/** Tests which names a field accepts: `make` returns a request with the name in it, and a new name to build on. */
export function namePattern(
  { ask }: Target,
  operation: OperationName,
  field: string,
  cases: NameCases,
  make: (build: (name: string) => string) => WireRequest | Promise<WireRequest>,
): void {
  const within = [...cases.within];
  describe(`${operation} takes as ${field}`, () => {
    it.each(within)("a name with '%s' within", async (char) => {
      const { status } = await ask(operation, await make((name) => `${name}${char}x`));
      expect([200, 201]).toContain(status);
    });

    it.each([...cases.never, "é", "\n", " "])("no name with %j", async (char) => {
      const sent = ask(operation, await make((name) => `${name}${char}x`));
      await expectInvalid(sent, { [field]: "String should" }, ANY);
    });

    it("no name that ends in a line break", async () => {
      const sent = ask(operation, await make((name) => `${name}\n`));
      await expectInvalid(sent, { [field]: "String should" }, ANY);
    });

    it("no empty name", async () => {
      await expectInvalid(ask(operation, await make(() => "")), { [field]: "String should" }, ANY);
    });

    it.each(cases.plainStart ? within : [])("no name that begins with '%s'", async (char) => {
      await expectInvalid(ask(operation, await make((name) => char + name)), { [field]: PATTERN }, ANY);
    });
  });
}

/** Flows, trails, environments and policies share a name pattern. */
export const ORDINARY_NAME: NameCases = { within: ".-_~", never: "/:%,@", plainStart: true };

/** Tests the limits of `page` and `per_page`. */
export function pagingEdges(
  { ask }: Target,
  operation: OperationName,
  make: MakeRequest,
  { max, isCut = false }: { readonly max: number; readonly isCut?: boolean },
): void {
  const request = async (query: Readonly<Record<string, unknown>>) => {
    const right = await make();
    return ask(operation, { ...right, query: { ...right.query, ...query } });
  };
  describe(`${operation} in pages`, () => {
    it.each([1, max])("takes %i per page", async (perPage) => {
      const { status, body } = await request({ per_page: perPage });
      expect(status).toBe(200);
      expect(itemsOf(body).length).toBeLessThanOrEqual(perPage);
    });

    it.each([0, -1])("refuses %i per page", async (perPage) => {
      await expectInvalid(request({ per_page: perPage }), {
        "query.per_page": "Input should be greater than or equal to 1",
      });
    });

    it(`${isCut ? "cuts" : "refuses"} more per page than it allows`, async () => {
      if (isCut) {
        const { status, headers } = await request({ per_page: max + 400 });
        expect([status, headers["x-per-page-limit"]]).toEqual([200, String(max)]);
        expect((await request({ per_page: max })).headers).not.toHaveProperty("x-per-page-limit");
        return;
      }
      await expectInvalid(request({ per_page: max + 1 }), {
        "query.per_page": `Input should be less than or equal to ${max}`,
      });
    });

    it.each([0, -1])("refuses page %i", async (page) => {
      await expectInvalid(request({ page, per_page: 1 }), {
        "query.page": "Input should be greater than or equal to 1",
      });
    });

    it("refuses a page that is not a number", async () => {
      await expectInvalid(request({ page: "x", per_page: 1 }), {
        "query.page": "Input should be a valid",
      });
    });

    it("is empty beyond the last page", async () => {
      const { status, body } = await request({ page: 1_000_000, per_page: 1 });
      expect({ status, items: itemsOf(body) }).toEqual({ status: 200, items: [] });
    });
  });
}

/** The items of a list, in any page format. */
function itemsOf(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  const lists = Object.values(Object(body)).filter((value) => Array.isArray(value));
  expect(lists).toHaveLength(1);
  return lists.flat();
}

function described(value: object): string {
  const text = JSON.stringify(value, (_, item: unknown) => (item === undefined ? "(absent)" : item));
  return text.length > 70 ? `${text.slice(0, 70)}…` : text;
}
