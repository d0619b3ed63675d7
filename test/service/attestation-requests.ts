import { type Answered, type FileToPost, type Reachable, type RequestToSend, send } from "./requests.ts";
import { ORG } from "./running-service.ts";

/** Attestation requests of pipelines beyond the generic ones, with the member's key. */
export function attestations(service: Reachable) {
  const ask = (message: RequestToSend) => send(service, message);
  const base = `/attestations/${ORG}`;
  return {
    attest: (
      kind: string,
      flow: string,
      form: object,
      { trail = "t1", files = [] }: { trail?: string; files?: readonly FileToPost[] } = {},
    ): Promise<Answered> =>
      ask({
        method: "POST",
        path: `${base}/${flow}/trail/${trail}/${kind}`,
        form: { attestation_name: "unit", ...form },
        files,
      }),
    override: (flow: string, json: object, trail = "t1") =>
      ask({
        method: "POST",
        path: `${base}/${flow}/trail/${trail}/override`,
        json: {
          attestation_name: "unit",
          reason: "accepted risk",
          new_compliance_status: true,
          original_attestation_type: "generic",
          ...json,
        },
      }),
    ofTrail: (flow: string, name = "unit", trail = "t1") =>
      ask({ path: `${base}/${flow}/trail/${trail}/${name}` }),
    list: (query = "") => ask({ path: `${base}${query}` }),
    ofFlow: (flow: string, query = "") => ask({ path: `${base}/${flow}${query}` }),
    forCriteria: (query: string) => ask({ path: `${base}/list_attestations_for_criteria${query}` }),
    customType: (form: object, schema?: unknown) =>
      ask({
        method: "POST",
        path: `/custom-attestation-types/${ORG}`,
        form,
        files:
          schema === undefined
            ? []
            : [
                {
                  part: "type_schema",
                  name: "schema.json",
                  content: typeof schema === "string" ? schema : JSON.stringify(schema),
                },
              ],
      }),
    customTypes: (path = "") => ask({ path: `/custom-attestation-types/${ORG}${path}` }),
    archiveType: (name: string) =>
      ask({ method: "PUT", path: `/custom-attestation-types/${ORG}/${name}/archive` }),
  };
}
