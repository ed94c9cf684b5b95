import { apiError } from '../../../meta/api-error.js';
import type { RelaySubresource } from '../../../registry/resource-definition.js';
import { originAt, PROXY, readTarget } from '../../shared/relay-target.js';
import type { Node } from '../core-v1.types.js';
import { addressOfNode, requireProxyable } from './node-connection.js';

const AGENT_PORT = 10_250;

/** `/proxy`: requests to the kubelet of a node, or to another port of the node. */
export const nodeProxy: RelaySubresource<Node> = {
  relay: {
    kind: 'NodeProxyOptions',
    ...PROXY,
    async answer({ name, parent }, { host }) {
      const target = readTarget(name);
      if (target === undefined) throw apiError.badRequest(`invalid node request "${name}"`);
      const node = await parent(target.name);
      const address = addressOfNode(node);
      requireProxyable(address, host.fetch);
      const agent = String(node.status.daemonEndpoints?.kubeletEndpoint?.Port || AGENT_PORT);
      if (target.port === '' || target.port === agent) return { origin: originAt('https', address, agent) };
      return { origin: originAt(target.scheme, address, target.port) };
    },
  },
};
