import { expect, test } from "vitest";
import { runBundle, runHere } from "./bundle-run.ts";
import { recordingServer } from "./recording-server.ts";
import { sent } from "./sent-attestations.ts";

const RECORDED = { status: 201, body: "OK", headers: { "x-request-id": "req-1" } };
const GENERIC = { flow: "web", name: "sbom", compliant: "true" };

const cycloneDx = (name = "web") => ({
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  serialNumber: "urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79",
  metadata: {
    tools: { components: [{ type: "application", name: "syft", version: "1.9.0" }] },
    component: { type: "application", name, version: "1.0.0" },
  },
  components: [
    { type: "library", name: "a" },
    { type: "library", name: "b" },
  ],
});
const SPDX = "SPDXVersion: SPDX-2.3\nDocumentName: web\nCreator: Tool: syft-1.9.0\nPackageName: a\n";

async function attest(inputs: Record<string, string>, files: Record<string, string>, by = runHere) {
  await using server = await recordingServer([RECORDED]);
  const run = await by("attest", { server, inputs: { ...GENERIC, ...inputs }, files });
  return { ...run, ...sent(server.requests[0]), requests: server.requests };
}

test("attaches SBOMs byte for byte and summarizes them in the user data", async () => {
  const content = `${JSON.stringify(cycloneDx(), null, 1)}\n\n`;
  const run = await attest(
    { attachments: "*.json\n*.spdx", "user-data": '{"team": "shop"}' },
    { "bom.json": content, "web.spdx": SPDX },
    runBundle,
  );
  expect(run.snapshot).toMatchSnapshot();
  expect(run.requests[0]).toContain(content);
  expect(run.data["user_data"]).toMatchObject({
    team: "shop",
    sbom: [
      { file: "bom.json", format: "CycloneDX", spec_version: "1.6", components: 2 },
      { file: "web.spdx", format: "SPDX", spec_version: "2.3" },
    ],
  });
});

test.each([
  ["their own field of that name", '{"sbom": "mine"}', { sbom: "mine" }],
  ["a list", "[1]", [1]],
])("keeps %s of the user", async (_, given, expected) => {
  const run = await attest(
    { attachments: "bom.json", "user-data": given },
    { "bom.json": JSON.stringify(cycloneDx()) },
  );
  expect(run.data["user_data"]).toEqual(expected);
  expect(run.snapshot).toContain("| bom.json | CycloneDX 1.6 | 2 | syft 1.9.0 |");
});

test.each(["{", "<bom", "\u0000", '{"bomFormat": "CycloneDX"'])(
  "attaches a file unchanged that only its name calls an SBOM: %j",
  async (content) => {
    const run = await attest({ attachments: "sbom.json" }, { "sbom.json": content });
    expect(run.status).toBe(0);
    expect(run.files).toEqual(["sbom.json"]);
    expect(run.data).not.toHaveProperty("user_data");
    expect(run.stdout).toContain("'sbom.json' is not in a supported SBOM format; it is attached unchanged.");
  },
);

test.each([
  ["sbom.spdx.yaml", "SPDXID: SPDXRef-DOCUMENT\nspdxVersion: SPDX-2.3\n", "SPDX as YAML"],
  [
    "sbom.xml",
    '<?xml version="1.0"?>\n<Document><SPDXID>SPDXRef-DOCUMENT</SPDXID></Document>',
    "SPDX as XML",
  ],
  [
    "sbom.rdf",
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:spdx="http://spdx.org/rdf/terms#"/>',
    "SPDX as RDF",
  ],
  ["vex.json", '{"@context": "https://openvex.dev/ns/v0.2.0"}', "OpenVEX"],
])("rejects %s as an SBOM with its format and what to do", async (file, content, format) => {
  const run = await attest({ kind: "sbom", compliant: "", attachments: file }, { [file]: content });
  expect(run).toMatchObject({ status: 1, requests: [] });
  expect(run.stdout).toContain(`attachments: '${file}' is ${format}, which is not supported: `);
});

test("recognizes an SBOM by its content, whatever its name", async () => {
  const payload = Buffer.from(JSON.stringify({ predicateType: "sbom", predicate: cycloneDx() })).toString(
    "base64",
  );
  const envelope = { payloadType: "application/vnd.in-toto+json", payload, signatures: [] };
  const run = await attest(
    { attachments: "*" },
    {
      "a.txt": ` \n${SPDX}`,
      "deps.json": JSON.stringify(cycloneDx(), null, 2),
      "deps.xml": '<bom xmlns="http://cyclonedx.org/schema/bom/1.6"/>',
      "notes.json": '{"notes": "none"}',
      "signed.intoto.jsonl": `${JSON.stringify(envelope)}\n`,
      "tool.bin": "\u0001\u0002",
    },
  );
  expect(run.data["user_data"]).toMatchObject({
    sbom: [
      { file: "a.txt", format: "SPDX" },
      { file: "deps.json", format: "CycloneDX", components: 2 },
      { file: "deps.xml", serialization: "XML" },
      { file: "signed.intoto.jsonl", format: "CycloneDX", components: 2 },
    ],
  });
  expect(run.stdout).not.toContain("is not an SBOM");
});

test("neutralizes hostile names", async () => {
  const hostile = cycloneDx();
  hostile.metadata.tools.components[0] = {
    type: "application",
    name: "\u001b[31m\n::error::x | <script>",
    version: "`1`",
  };
  const run = await attest({ attachments: "*.json" }, { "bom [x](y) |.json": JSON.stringify(hostile) });
  expect(run.stdout).not.toContain("::error");
  expect(run.snapshot).toContain(
    "| bom &#91;x&#93;&#40;y&#41; &#124;.json | CycloneDX 1.6 | 2 | &#58; &#58;error&#58;&#58;x &#124; &#60;script&#62; &#96;1&#96; |",
  );
});
