import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";
import { formOn, signedIn, type Visitor } from "./visitor.ts";

let service: TestService;
let admin: Visitor;
beforeAll(async () => {
  service = await startTestService();
  admin = await signedIn(service, service.keys.admin);
});
afterAll(() => service.dispose());

const api = async (path: string, method = "GET", json?: object) =>
  (await send(service, { method, path, key: service.keys.admin, ...(json && { json }) })).body;
const policy = () => api(`/decision-policies/${ORG}/reviewed`);
const page = `/${ORG}/decision-policies/reviewed`;
const TEXT = "package policy\n\ndefault allow := false\n";

describe("the pages of decision policies", () => {
  it("publish a policy of one file, and versions of it", async () => {
    const list = `/${ORG}/decision-policies`;
    const form = formOn(await admin.get(list), "Publish policy");
    const typed = { identifier: "reviewed", description: "Reviewed", text: TEXT.replaceAll("\n", "\r\n") };
    expect((await admin.send(list, { ...form, ...typed, warn: "yes" })).status).toBe(303);
    expect(await policy()).toMatchObject({ version: 1, warn_only: true, files: { "policy.rego": TEXT } });

    const shown = await admin.get(page);
    expect(shown.text).toContain('<input type="checkbox" name="warn" value="yes" checked>');
    expect(shown.text).toContain(`<textarea id="text" name="text"`);
    const change = { ...formOn(shown, "Publish version"), text: TEXT, description: "Reviewed" };
    expect((await admin.send(page, { ...change, from: "2030-01-01" })).status).toBe(303);
    expect(await policy()).toMatchObject({
      version: 2,
      description: "Reviewed",
      warn_only: false,
      effective_from: Date.UTC(2030, 0, 1) / 1000,
      files: { "policy.rego": TEXT },
    });
    expect((await admin.get(list)).text).toContain("Only warn until 2030-01-01");
    expect((await admin.get(`/${ORG}/policies`)).text).toContain(`<a href="${list}">`);
    const former = (await admin.get(`${page}?version=1`)).text;
    expect(former).toContain("Files of version 1");
    expect(former).toContain("<span>default allow := false</span>");
  });

  it("bind a control, and end the binding", async () => {
    await api(`/controls/${ORG}`, "POST", { identifier: "SDLC-7", name: "n" });
    const control = `/${ORG}/controls/SDLC-7`;
    const bind = async (decision_policy: string) => {
      const { status } = await admin.send(control, { act: "bind", decision_policy });
      return [status, (await api(`/controls/${ORG}/SDLC-7`)).decision_policy];
    };
    expect(await bind("reviewed")).toEqual([303, "reviewed"]);
    const bound = (await admin.get(control)).text;
    expect(bound).toContain(`<a href="${page}">`);
    for (const line of ["actions/evaluate@", "run-on: service", "policy-id: reviewed", "control: SDLC-7"])
      expect(bound).toContain(line);
    expect((await admin.get(page)).text).toContain(`<a href="${control}">`);
    await api(`/decision-policies/${ORG}/reviewed/archive`, "POST");
    expect((await admin.get(control)).text, "archived").toContain('<option value="reviewed" selected>');
    expect(await bind("")).toEqual([303, null]);
  });

  it("leave a policy of several files to the command line", async () => {
    const files = { "policy.rego": TEXT, "lib/dates.rego": "package lib\n" };
    await api(`/decision-policies/${ORG}/reviewed`, "PUT", { files });
    const { text } = await admin.get(page);
    expect(text).toContain("Publish a policy of several files on the command line.");
    expect((await admin.send(page, { act: "publish", text: TEXT, description: "" })).status).toBe(400);
    expect((await policy()).files).toEqual(files);
  });

  it("archive a policy whose identifier is typed", async () => {
    const archive = (confirm: string) => admin.send(page, { act: "archive", confirm });
    expect([(await archive("other")).status, (await policy()).archived]).toEqual([400, false]);
    expect([(await archive("reviewed")).status, (await policy()).archived]).toEqual([303, true]);
  });
});
