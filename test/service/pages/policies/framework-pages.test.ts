import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attestations } from "../../attestation-requests.ts";
import { pipeline, send } from "../../requests.ts";
import { ORG, startTestService, type TestService } from "../../running-service.ts";
import { signedIn, type Visitor } from "../visitor.ts";

let service: TestService;
let reader: Visitor;
beforeAll(async () => {
  service = await startTestService();
  reader = await signedIn(service, service.keys.reader);
  for (const identifier of ["OSPS-BR-06", "SSDF-PS.2.1"])
    await send(service, {
      method: "POST",
      path: `/controls/${ORG}`,
      key: service.keys.admin,
      json: { identifier, name: "n" },
    });
  await pipeline(service).trail("web", "v1");
});
afterAll(() => service.dispose());

const decide = (name: string, isCompliant: boolean) =>
  attestations(service).attest(
    "system",
    "web",
    {
      attestation_name: name,
      type_name: "decision",
      control: "OSPS-BR-06",
      attestation_data: { is_compliant: isCompliant },
    },
    { trail: "v1" },
  );

/** The cells of the row that begins with this text, without markup. */
async function rowOf(path: string, first: string) {
  const { text } = await reader.get(`/${ORG}/frameworks${path}`);
  const rows = [...text.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = ""]) =>
      cell.replaceAll(/<[^>]+>/g, "").trim(),
    ),
  );
  return rows.find(([cell]) => cell?.startsWith(first));
}

describe("the pages of frameworks", () => {
  it("count a decision for the requirements that its control maps to", async () => {
    expect(await rowOf("/ssdf", "SSDF-PS.2.1")).toEqual([expect.any(String), "SSDF-PS.2.1, OSPS-BR-06", ""]);
    await decide("signed", false);
    expect(await rowOf("", "NIST SSDF")).toEqual(["NIST SSDF", "1.1", "61", "4", "0"]);
    await decide("signed-again", true);
    expect(await rowOf("/ssdf", "SSDF-PS.2.1")).toEqual([
      expect.any(String),
      "SSDF-PS.2.1, OSPS-BR-06",
      "1 passed 1 failed",
    ]);
    expect(await rowOf("", "NIST SSDF")).toEqual(["NIST SSDF", "1.1", "61", "4", "4"]);
    expect(await rowOf("", "Cyber Resilience Act")).toEqual(expect.arrayContaining(["22", "0"]));
    expect((await reader.get(`/${ORG}/frameworks/ssdf`)).text).toContain("4 of 61 requirements are covered");
    expect((await reader.get(`/${ORG}/controls`)).text).toContain(`href="/${ORG}/frameworks"`);
    expect((await reader.get(`/${ORG}/frameworks/soc2`)).status).toBe(404);
  });
});
