import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TrustedProxies } from "../../../src/service/http/client-address.ts";

const proxies = new TrustedProxies(["10.0.0.0/8", "2001:db8:ffff::/48"]);

function from(headers: Readonly<Record<string, string>>, remoteAddress = "10.0.0.1"): string | undefined {
  const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: remoteAddress });
  return proxies.clientOf(Object.assign(new IncomingMessage(socket), { headers }));
}

describe("behind a trusted proxy a request comes from", () => {
  it.each([
    ["for=192.0.2.1", "192.0.2.1"],
    ["For=192.0.2.1;proto=https;by=10.0.0.1", "192.0.2.1"],
    ['proto=https ; for="192.0.2.1:4711" ; by=_p', "192.0.2.1"],
    ['for="[2001:DB8:0::17]:4711"', "2001:db8::17"],
    ['for="[2001:db8::17]"', "2001:db8::17"],
    ['for="\\1\\92.0.2.1"', "192.0.2.1"],
    ['for="[::ffff:192.0.2.1]"', "192.0.2.1"],
    ["for=198.51.100.7, for=192.0.2.1", "192.0.2.1"],
    ["for=192.0.2.1, for=10.1.2.3", "192.0.2.1"],
    ['for=192.0.2.1,for="[2001:db8:ffff::1]:_port"', "192.0.2.1"],
  ])("Forwarded: %s", (forwarded, expected) => {
    expect(from({ forwarded })).toBe(expected);
  });

  it.each([
    ["192.0.2.1:4711", "192.0.2.1"],
    ["[2001:0db8::0001]:4711", "2001:db8::1"],
    ["2001:db8::1", "2001:db8::1"],
    ["::ffff:c000:201", "192.0.2.1"],
  ])("X-Forwarded-For: %s", (header, expected) => {
    expect(from({ "x-forwarded-for": header })).toBe(expected);
  });

  it.each([
    "for=_hidden",
    "for=unknown",
    "proto=https",
    "for=192.0.2.1, by=10.0.0.1",
    "for=192.0.2.1, ",
    "",
    'for="[fe80::1%eth0]"',
    "for=192.0.2.1 198.51.100.7",
    // A quote that a client left open, before the proxy's part.
    'for="1.2.3.4, for=192.0.2.1',
    'for=1.2.3.4;x=", for=192.0.2.1;by="10.0.0.1"',
  ])("the last proxy, if that names no address: Forwarded: %s", (forwarded) => {
    expect(from({ forwarded })).toBe("10.0.0.1");
  });

  it("the address in both headers, only as far as they agree: a client may have sent one of them", () => {
    expect(from({ forwarded: "for=192.0.2.1", "x-forwarded-for": "192.0.2.1" })).toBe("192.0.2.1");
    expect(from({ forwarded: "for=198.51.100.7", "x-forwarded-for": "192.0.2.1" })).toBe("10.0.0.1");
    const twice = { forwarded: "for=1.2.3.4, for=10.0.0.2", "x-forwarded-for": "192.0.2.1, 10.0.0.2" };
    expect(from(twice)).toBe("10.0.0.2");
  });
});

it("an untrusted proxy is treated as the sender, whatever its headers are", () => {
  const headers = { forwarded: "for=10.0.0.9", "x-forwarded-for": "10.0.0.9" };
  expect(from(headers, "192.0.2.1")).toBe("192.0.2.1");
  expect(from(headers, "::ffff:192.0.2.1")).toBe("192.0.2.1");
});

it("a client's own headers change nothing, except that they can make the proxy's unreadable", () => {
  const piece = fc.oneof(
    fc.constantFrom("for=", "10.0.0.1", '"', "\\", ";", ",", " ", "[", "]", "by=", "::1", "%", "="),
    fc.string({ maxLength: 4 }),
  );
  const hostile = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(hostile, (sent) => {
      expect(["192.0.2.1", "10.0.0.1"]).toContain(
        from({ forwarded: `${sent}, for=192.0.2.1;by="10.0.0.1"` }),
      );
      expect(["192.0.2.1", "10.0.0.1"]).toContain(from({ "x-forwarded-for": `${sent}, 192.0.2.1` }));
    }),
    { seed: 20_300_131, numRuns: 3_000 },
  );
});
