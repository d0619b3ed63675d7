export interface Place {
  readonly org: string;
  readonly flow: string;
  readonly trail: string;
}

/** SHA-1 and SHA-256 in hex. */
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;

/**
 * Identifies a trail in a pull request. Trails named after commits share one key, so that each push updates the same
 * comment.
 */
export function keyOf({ org, flow, trail }: Place): string {
  const change = COMMIT.test(trail) ? "*" : encodeURIComponent(trail);
  return [encodeURIComponent(org), encodeURIComponent(flow), change].join("/");
}

/** An HTML comment. Blanks and angle brackets are encoded, so that no name can end it. */
export function markerOf(place: Place): string {
  return `<!-- delivery-evidence trail: ${keyOf(place)} -->`;
}
