/** Where the services of a server get what no two of them can share. */
export interface ServiceNetwork {
  /**
   * Ranges of addresses, as `10.0.0.0/24`: one, or one of each family; that of services which do not choose comes first. The first address of
   * the first range belongs to the server's own service.
   */
  readonly clusterIpRanges: readonly string[];
  /** The ports that nodes lend to services, both counting. */
  readonly nodePorts: { readonly first: number; readonly last: number };
  /** One of them for the server's own service; 0 (the default) for none. */
  readonly ownNodePort?: number;
}

export const DEFAULT_SERVICE_NETWORK: ServiceNetwork = {
  clusterIpRanges: ['10.0.0.0/24'],
  nodePorts: { first: 30_000, last: 32_767 },
};
