import { expect, it, test } from "vitest";
import {
  clientConfig,
  hostsOf,
  isPooled,
  shownAddress,
} from "../../../../src/service/store/postgres/address.ts";

it.each([
  ["postgres://e@a:5432/name", ["a:5432"]],
  ["postgres://e@a:5432,b:6432/name", ["a:5432", "b:6432"]],
  ["postgresql://e:p,w@a,[::1]:5432,c/name?sslmode=disable", ["a:", "::1:5432", "c:"]],
  ["postgres://a,b/name", ["a:", "b:"]],
])("the hosts of %s are %j", (url, hosts) => {
  const configs = hostsOf({ url }).map(clientConfig);
  expect(configs.map(({ host, port }) => `${host}:${port ?? ""}`)).toEqual(hosts);
  expect(new Set(configs.map(({ database }) => database))).toEqual(new Set(["name"]));
});

test("an address with several hosts is shown without its password, and one wrong host is refused", () => {
  const url = "postgres://e:secret@a:1,b:2/name?pgbouncer=true";
  expect(shownAddress({ url })).toBe("postgres://e@a:1,b:2/name");
  expect(isPooled({ url })).toBe(true);
  expect(() => shownAddress({ url: "postgres://e@a:1,b:x/name" })).toThrow("must look like");
});
