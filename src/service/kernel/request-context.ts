/** Who does something, in which organization, and when. */
export interface RequestContext {
  orgId: string;
  accountName: string;
  /** Unix seconds. */
  now: number;
}
