/** The addresses and ports that the services of a server are allocated from. */
export interface ServiceNetwork {
  /**
   * Ranges of addresses such as `10.0.0.0/24`: one, or one of each IP family; the first is the default family of services. The first
   * address of the first range belongs to the server's own service.
   */
  readonly clusterIpRanges: readonly string[];
  /** The range of node ports, inclusive. */
  readonly nodePorts: { readonly first: number; readonly last: number };
  /** The node port of the server's own service; 0 (the default) for none. */
  readonly ownNodePort?: number;
}

export const DEFAULT_SERVICE_NETWORK: ServiceNetwork = {
  clusterIpRanges: ['10.0.0.0/24'],
  nodePorts: { first: 30_000, last: 32_767 },
};
