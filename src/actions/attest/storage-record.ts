import { parseImageReference } from "../../evidence/oci/reference.ts";
import { createStorageRecord } from "../../github/api/artifact-metadata.ts";
import { gitHubAddress } from "../../github/api/github-address.ts";
import { askGitHub } from "../../github/api/github-api.ts";
import type { ActionContext } from "../../github/step/action.ts";
import type { ArtifactRequest } from "./attestation-request.ts";
import { imageOf } from "./stored-image.ts";

/** Reports an image's registry to GitHub for linked artifacts. Warns on failure. */
export async function tellStorage(
  { values, fingerprint }: ArtifactRequest,
  { runner, signal, info, warn }: ActionContext,
): Promise<void> {
  const image = imageOf(values.subject);
  const address = gitHubAddress(runner, values.githubToken, signal);
  if (image === undefined || address === undefined)
    return warn(
      "GitHub is not known here, or there is no github-token, so it is not told where the image is",
    );
  const { registry, repository, tag } = parseImageReference(image);
  const told = await askGitHub(address, (github) =>
    createStorageRecord(github, {
      name: `${registry}/${repository}`,
      sha256: fingerprint,
      version: tag,
      registryUrl: `https://${registry}`,
      path: repository,
      repository: address.repository.split("/")[1] ?? "",
    }),
  );
  if ("fault" in told) warn(told.fault.explain(address.apiUrl, "no place to a storage record"));
  else info(`GitHub knows that ${registry}/${repository} holds the image.`);
}
