/** The addresses and ports that the services of a server are allocated from. */
export interface ServiceNetwork {
  /**
   * The ranges of cluster IPs, such as `10.0.0.0/24`: one range, or one range for each IP family. The first one determines the default
   * family of services, and its first address belongs to the server's own Service.
   */
  readonly clusterIpRanges: readonly string[];
  /** The range of node ports, inclusive. */
  readonly nodePorts: { readonly first: number; readonly last: number };
  /** The node port of the server's own Service; 0 (the default) means that it has none. */
  readonly ownNodePort?: number;
}

export const DEFAULT_SERVICE_NETWORK: ServiceNetwork = {
  clusterIpRanges: ['10.0.0.0/24'],
  nodePorts: { first: 30_000, last: 32_767 },
};
