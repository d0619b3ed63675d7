import { request } from "undici";
import type { TestService } from "../running-service.ts";

/** A visitor who reads pages, with cookies. */
export interface Visitor {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Seen>;
  /**
   * Sends a form as a browser does from a page of the service, with the hidden fields that are on `page`; if the
   * fields have the token of a form, they are all that is sent.
   */
  send(page: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Seen>;
}

/** The text of a response. */
export interface Seen {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

/** An anonymous visitor. */
export function visitor({ address, dispatcher }: Pick<TestService, "address" | "dispatcher">): Visitor {
  const cookies = new Map<string, string>();
  const ask = async (path: string, options: { method: "GET" | "POST"; body?: string; headers: object }) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { accept: "text/html", ...(cookie === "" ? {} : { cookie }), ...options.headers };
    const answer = await request(new URL(path, address), { ...options, headers, dispatcher });
    for (const set of [answer.headers["set-cookie"] ?? []].flat()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/max-age=0(;|$)/i.test(set)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  };
  const get = (path: string, headers: Record<string, string> = {}) => ask(path, { method: "GET", headers });
  return {
    cookies,
    get,
    async send(page, fields, headers = {}) {
      const { text } = "form_token" in fields ? { text: "" } : await get(page);
      const action = fields["action"] ?? page;
      const { action: _, ...rest } = fields;
      const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
      const body = new URLSearchParams({
        ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])),
        ...rest,
      });
      return ask(action, {
        method: "POST",
        body: body.toString(),
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          "sec-fetch-site": "same-origin",
          ...headers,
        },
      });
    },
  };
}

/** A visitor who has signed in with a key. */
export async function signedIn(
  service: Pick<TestService, "address" | "dispatcher">,
  key: string,
): Promise<Visitor> {
  const guest = visitor(service);
  const { status } = await guest.send("/login", { key });
  if (status !== 303) throw new Error(`Signing in was answered ${status}`);
  return guest;
}

/** The messages beside the fields of a page, by the id of the field. Only fields with a message are marked as invalid. */
export function problemsOn({ text }: Seen): Record<string, string> {
  const invalid = [
    ...text.matchAll(/<(?:input|textarea|select) id="([^"]+)"[^>]* aria-invalid="true"[^>]*>/g),
  ];
  const problems = [...text.matchAll(/<span class="problem" id="([^"]+)-problem">([^<]*)<\/span>/g)];
  const described = invalid.filter(([field, id]) =>
    new RegExp(`aria-describedby="(?:\\S+ )?${id?.replaceAll(/[[\]]/g, "\\$&")}-problem"`).test(field),
  );
  const ids = [invalid, problems, described].map((found) => found.map(([, id]) => id).join());
  if (new Set(ids).size !== 1) throw new Error(`Fields and messages differ: ${ids.join(" | ")}`);
  return Object.fromEntries(problems.map(([, id = "", message = ""]) => [id, message]));
}

/** The form on a page whose button has this text, to be sent any number of times. */
export function formOn({ text }: Seen, button: string): Record<string, string> {
  const form = text
    .split('<form class="act')
    .slice(1)
    .map((each) => each.split("</form>")[0] ?? "")
    .find((each) => each.includes(`<button type="submit">${button}</button>`));
  if (form === undefined) throw new Error(`There is no form with a button '${button}'`);
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
  return Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, value]));
}
