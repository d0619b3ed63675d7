/** What a comment or a check run is about. */
export interface Place {
  readonly org: string;
  readonly flow: string;
  readonly trail: string;
}

/** SHA-1 and SHA-256 in hex. */
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;

/**
 * Names a trail in a pull request. A trail that is named after its commit is another one at each push: all of them
 * have one name here, so that one comment goes along with the change.
 */
export function keyOf({ org, flow, trail }: Place): string {
  const change = COMMIT.test(trail) ? "*" : encodeURIComponent(trail);
  return [encodeURIComponent(org), encodeURIComponent(flow), change].join("/");
}

/** A line that readers do not see. Blanks and angle brackets are encoded, so that no name can end it. */
export function markerOf(place: Place): string {
  return `<!-- delivery-evidence trail: ${keyOf(place)} -->`;
}
