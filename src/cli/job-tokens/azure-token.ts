import { type Asking, tokenOf } from "../../github/step/identity-token.ts";
import type { TokenRequest } from "../../github/step/token-request.ts";

/** An identity token of the pipeline. Its audience is always the same. */
export function azureToken({ url, token }: TokenRequest, asking: Asking): Promise<string> {
  // A service connection in the query would give a token of the connection, not of the pipeline.
  const [address = ""] = url.split("?");
  return tokenOf(
    {
      system: "Azure DevOps",
      request: { url: address, token },
      variable: "SYSTEM_OIDCREQUESTURI",
      method: "POST",
      parameter: ["api-version", "7.1"],
      // Without the second header, a refused request is redirected to a page for people.
      headers: { authorization: `Bearer ${token}`, "x-tfs-fedauthredirect": "Suppress" },
      field: "oidcToken",
      advice: "Check that the step maps SYSTEM_ACCESSTOKEN: $(System.AccessToken) in env, and rerun the job.",
    },
    asking,
  );
}
