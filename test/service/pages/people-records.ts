import type { EvidenceClient } from "../../../src/api/client/client.ts";
import { startLoginProvider } from "../../identity/login-provider.ts";
import { signedInPerson } from "../../identity/signed-in-person.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";
import { HOSTILE } from "./hostile-records.ts";

/** Starts a service in which a person has signed in. The provider is gone afterwards. */
export async function startServiceWithPerson(): Promise<TestService> {
  const provider = await startLoginProvider();
  try {
    const roleMap = [{ org: ORG, role: "member" as const }];
    const service = await startTestService({}, { loginProviders: [provider.settings({ roleMap })] });
    await provider.allow(service.address);
    provider.people.set("zoe", { name: HOSTILE });
    await signedInPerson(service, "zoe");
    return service;
  } finally {
    await provider.close();
  }
}

/** A provider of the organization, and an open invitation. */
export async function addPeopleRecords(client: EvidenceClient): Promise<void> {
  await client.putLoginProvider({
    body: {
      ...{ name: "own", label: HOSTILE, issuer: "https://login.example.com", clientId: HOSTILE },
      ...{ clientSecret: "a secret of the client", groupsClaim: "groups" },
      roleMap: [{ group: HOSTILE, role: "reader" }],
    },
  });
  await inviteTo(client);
}

/** The path of a new invitation's page. */
export async function inviteTo(client: EvidenceClient): Promise<string> {
  const body = { email: "lena@example.com", privilege: "reader" } as const;
  return new URL((await client.createInvitation({ body })).body.url).pathname;
}
