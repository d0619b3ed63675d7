import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeSbom } from "../../../src/evidence/sbom/describe-sbom.ts";
import { sbomData } from "../../../src/evidence/sbom/sbom.ts";
import { fixture } from "../fixtures/fixture.ts";

async function described(content: unknown) {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return await describeSbom(Buffer.from(text));
}

describe("an SBOM is described that is", () => {
  test("CycloneDX in JSON, with components at any depth", async () => {
    expect(await described(fixture("sbom/cyclonedx.json"))).toEqual({
      format: "CycloneDX",
      serialization: "JSON",
      specVersion: "1.6",
      tools: [
        { name: "syft", version: "1.34.2" },
        { name: "scan-service", version: "" },
      ],
      components: 4,
      subject: { name: "ghcr.io/acme/shop", version: "sha256:0f3c" },
      id: "urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79",
    });
  });

  test("CycloneDX 1.4, whose tools are a list, and which has no subject", async () => {
    expect(await described(fixture("sbom/cyclonedx-1.4.json"))).toEqual({
      format: "CycloneDX",
      serialization: "JSON",
      specVersion: "1.4",
      tools: [{ name: "cyclonedx-maven-plugin", version: "2.7.11" }],
      components: 0,
      id: "",
    });
  });

  test("CycloneDX in XML, without the ancestors of a component", async () => {
    expect(await described(fixture("sbom/cyclonedx.xml"))).toEqual({
      format: "CycloneDX",
      serialization: "XML",
      specVersion: "1.5",
      tools: [{ name: "CycloneDX module for .NET", version: "4.0.2.0" }],
      components: 3,
      subject: { name: "Shop", version: "0.0.0" },
      id: "urn:uuid:11111111-395b-41f5-a30f-a58921a69b79",
    });
  });

  test("CycloneDX in XML with a prefix, a byte order mark or tools that are components", async () => {
    const xml = `\ufeff<b:bom xmlns:b="http://cyclonedx.org/schema/bom/1.6"><b:metadata><b:tools><b:components><b:component><b:name>cdx<![CDATA[gen]]></b:name></b:component></b:components></b:tools></b:metadata><b:components><b:component/></b:components></b:bom>`;
    expect(await described(xml)).toMatchObject({
      specVersion: "1.6",
      tools: [{ name: "cdxgen", version: "" }],
      components: 1,
    });
  });

  test("SPDX 2.3 in JSON, whose subject is not among its components", async () => {
    expect(await described(fixture("sbom/spdx-2.3.json"))).toEqual({
      format: "SPDX",
      serialization: "JSON",
      specVersion: "2.3",
      tools: [
        { name: "syft", version: "1.34.2" },
        { name: "GitHub.com-Dependency-Graph", version: "" },
      ],
      components: 2,
      subject: { name: "ghcr.io/acme/shop", version: "sha256:0f3c" },
      id: "https://anchore.com/syft/image/ghcr.io/acme/shop-8b1d",
    });
  });

  test("SPDX 2 that describes several elements, none of which is the subject", async () => {
    const packages = ["a", "b", "c"].map((name) => ({ SPDXID: `SPDXRef-${name}`, name }));
    const documentDescribes = ["SPDXRef-a", "SPDXRef-b"];
    const sbom = await described({ spdxVersion: "SPDX-2.2", packages, documentDescribes });
    expect(sbom?.components).toBe(3);
    expect(sbom).not.toHaveProperty("subject");
  });

  test.each([
    ["line feeds", "\n"],
    ["carriage returns too", "\r\n"],
  ])("SPDX as tags and values with %s, without tags in quoted text", async (_what, end) => {
    expect(await described(fixture("sbom/spdx.spdx").replaceAll("\n", end))).toEqual({
      format: "SPDX",
      serialization: "tag-value",
      specVersion: "2.2",
      tools: [{ name: "spdx-sbom-generator", version: "v0.0.15" }],
      components: 1,
      subject: { name: "shop", version: "1.2.3" },
      id: "http://spdx.org/spdxdocs/shop-1b2c",
    });
  });

  test("SPDX 3.0 in JSON-LD, by the root of its document", async () => {
    expect(await described(fixture("sbom/spdx-3.0.json"))).toEqual({
      format: "SPDX",
      serialization: "JSON-LD",
      specVersion: "3.0.1",
      tools: [{ name: "openembedded-core", version: "5.1" }],
      components: 1,
      subject: { name: "shop", version: "1.2.3" },
      id: "https://acme.example/spdx/document",
    });
  });
});

const base64 = (text: string) => Buffer.from(text).toString("base64");
const statement = (predicate: unknown) => ({
  _type: "https://in-toto.io/Statement/v1",
  subject: [{ name: "shop", digest: { sha256: "0f3c" } }],
  predicateType: "https://example.com/whatever",
  predicate,
});
const envelope = (payload: unknown) => ({
  payloadType: "application/vnd.in-toto+json",
  payload: base64(JSON.stringify(payload)),
  signatures: [{ sig: "MEUC" }],
});

describe("an SBOM is described where it is the predicate", () => {
  const cycloneDx: unknown = JSON.parse(fixture("sbom/cyclonedx.json"));
  const spdx: unknown = JSON.parse(fixture("sbom/spdx-2.3.json"));

  test.each<[what: string, document: unknown, expected: object]>([
    ["of an in-toto statement", statement(spdx), { format: "SPDX", components: 2 }],
    [
      "of a statement in a DSSE envelope",
      envelope(statement(cycloneDx)),
      { format: "CycloneDX", components: 4 },
    ],
    [
      "of a statement in a Sigstore bundle",
      {
        mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json",
        dsseEnvelope: envelope(statement(spdx)),
      },
      { format: "SPDX", components: 2 },
    ],
    [
      "as tag-value text",
      envelope(statement(fixture("sbom/spdx.spdx"))),
      { format: "SPDX", serialization: "tag-value" },
    ],
    ["as JSON text", statement(fixture("sbom/cyclonedx.json")), { format: "CycloneDX", components: 4 }],
    ["of an envelope without a statement", envelope(cycloneDx), { format: "CycloneDX", components: 4 }],
  ])("%s", async (_what, document, expected) => {
    expect(await described(document)).toMatchObject(expected);
  });
});

describe("no description exists for", () => {
  test.each<[what: string, content: string | Uint8Array]>([
    ["nothing", ""],
    ["other JSON", '{"packages": []}'],
    ["a list", '[{"bomFormat": "CycloneDX"}]'],
    ["truncated JSON", fixture("sbom/cyclonedx.json").slice(0, -20)],
    ["truncated XML", fixture("sbom/cyclonedx.xml").slice(0, -20)],
    ["other XML", "<testsuites/>"],
    ["XML of another namespace", '<bom xmlns="http://maven.apache.org/POM/4.0.0"/>'],
    ["XML with a DOCTYPE", `<!DOCTYPE bom><bom xmlns="http://cyclonedx.org/schema/bom/1.6"/>`],
    ["other text", "Hello\nSPDXVersion: SPDX-2.3\n"],
    ["provenance in an envelope", JSON.stringify(envelope(statement({ buildDefinition: {} })))],
    ["an invalid payload", JSON.stringify({ ...envelope({}), payload: "e30=\u0000[" })],
    ["a payload that is not text", JSON.stringify({ ...envelope({}), payload: ["e30="] })],
    ["a predicate in a predicate", JSON.stringify(statement(statement({ bomFormat: "CycloneDX" })))],
    ["bytes that are not text", Buffer.from([0x1f, 0x8b, 0x08, 0xff])],
  ])("%s", async (_what, content) => {
    expect(await describeSbom(Buffer.from(content))).toBeUndefined();
  });
});

test("a description is small, whatever the document", async () => {
  const name = "n".repeat(10_000);
  const tools = Array.from({ length: 50 }, (_, i) => ({ name: `${i}${name}`, version: name }));
  const sbom = await described({
    bomFormat: "CycloneDX",
    specVersion: name,
    serialNumber: name,
    metadata: { tools, component: { name, version: name } },
  });
  expect(sbom?.tools).toHaveLength(10);
  expect(JSON.stringify(sbom).length).toBeLessThan(10_000);
});

test("a description is in user_data under the interface's names", async () => {
  const sbom = await described(fixture("sbom/spdx.spdx"));
  expect(sbom && JSON.parse(JSON.stringify(sbomData("out/shop.spdx", sbom)))).toEqual({
    file: "out/shop.spdx",
    format: "SPDX",
    serialization: "tag-value",
    spec_version: "2.2",
    tools: [{ name: "spdx-sbom-generator", version: "v0.0.15" }],
    components: 1,
    subject: { name: "shop", version: "1.2.3" },
    id: "http://spdx.org/spdxdocs/shop-1b2c",
  });
});

test("components are counted at any depth", async () => {
  const depth = 20_000;
  const json = `{"bomFormat":"CycloneDX","components":${'[{"components":'.repeat(depth)}[]${"}]".repeat(depth)}}`;
  expect((await described(json))?.components).toBe(depth);
});

test("any bytes are described or not, without an exception", async () => {
  const anything = fc.jsonValue();
  const documents = fc.oneof(
    fc.record({
      bomFormat: fc.constant("CycloneDX"),
      specVersion: anything,
      metadata: fc.record({ tools: anything, component: anything }),
      components: anything,
    }),
    fc.record({
      spdxVersion: fc.constant("SPDX-2.3"),
      creationInfo: fc.record({ creators: anything }),
      packages: fc.array(fc.record({ SPDXID: anything, name: anything })),
      relationships: anything,
      documentDescribes: anything,
    }),
    fc.record({
      "@context": fc.constant("https://spdx.org/rdf/3.0.1/x"),
      "@graph": fc.array(
        fc.record({
          type: fc.constantFrom("SpdxDocument", "CreationInfo", "software_Package"),
          spdxId: anything,
          rootElement: anything,
          createdUsing: anything,
        }),
      ),
    }),
  );
  const wrapped = fc.oneof(anything, documents).map((predicate) => envelope(statement(predicate)));
  const pieces = fc.array(
    fc.constantFrom(
      "<bom xmlns='http://cyclonedx.org/schema/bom/1.6'>",
      "<metadata>",
      "<component>",
      "</component>",
      "<name>",
      "</bom>",
      "SPDXVersion: SPDX-2.3\n",
      "PackageName: <text>",
      "</text>\n",
      "SPDXID: ",
      "\n",
      "{",
      "}",
    ),
    { maxLength: 12 },
  );
  const content = fc.oneof(
    fc.oneof(documents, wrapped).map((document) => Buffer.from(JSON.stringify(document))),
    pieces.map((parts) => Buffer.from(parts.join(""))),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  );
  let recognized = 0;
  await fc.assert(
    fc.asyncProperty(content, async (bytes) => {
      const sbom = await describeSbom(bytes);
      if (sbom === undefined) return;
      recognized++;
      expect(sbom.components).toBeGreaterThanOrEqual(0);
      expect(["CycloneDX", "SPDX"]).toContain(sbom.format);
    }),
    { numRuns: 1000 },
  );
  expect(recognized).toBeGreaterThan(0);
});
