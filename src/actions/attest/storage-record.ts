import { parseImageReference } from "../../evidence/oci/reference.ts";
import { createStorageRecord } from "../../github/api/artifact-metadata.ts";
import { gitHubAddress } from "../../github/api/github-address.ts";
import { askGitHub } from "../../github/api/github-api.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { imageOf } from "../stored-image.ts";
import type { ArtifactRequest } from "./attestation-request.ts";

/** Reports an image's registry to GitHub for linked artifacts. Warns on failure. */
export async function reportStorage(
  { values, fingerprint }: ArtifactRequest,
  { runner, signal, info, warn }: ActionContext,
): Promise<void> {
  const image = imageOf(values.subject);
  const address = gitHubAddress(runner, values.githubToken, signal);
  if (image === undefined || address === undefined)
    return warn(
      "No storage record was sent to GitHub: github-token or the variable GITHUB_REPOSITORY is empty",
    );
  const { registry, repository, tag } = parseImageReference(image);
  const outcome = await askGitHub(address, (github) =>
    createStorageRecord(github, {
      name: `${registry}/${repository}`,
      sha256: fingerprint,
      version: tag,
      registryUrl: `https://${registry}`,
      path: repository,
      repository: address.repository.split("/")[1] ?? "",
    }),
  );
  if ("fault" in outcome) warn(outcome.fault.explain(address.apiUrl, "did not confirm the storage record"));
  else info(`Recorded ${registry}/${repository} at GitHub as the image's location.`);
}
