/** The caller of a request (spec 2.16). */
export interface UserInfo {
  /** The name that identifies the user among all active users. */
  readonly username: string;
  /** An id that differs from that of an earlier user of the same name. Default: none. */
  readonly uid?: string;
  /** The groups of the user. Default: none. Add `system:authenticated` for a user who has logged in. */
  readonly groups?: readonly string[];
  /** Further values that authenticators provide, by key. Default: none. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}
