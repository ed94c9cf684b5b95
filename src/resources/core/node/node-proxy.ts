import { apiError } from '../../../meta/api-error.js';
import type { RelaySubresource } from '../../../registry/resource-definition.js';
import { PATH_PARAMETER, PROXY_VERBS, readTarget } from '../../fragments/relay-target.js';
import { addressOfNode, requireProxyable } from './node-connection.js';
import type { Node } from './node-schema.js';

/** `/proxy`: requests to the agent of a node. Nothing runs there: where there is an address, it is not reached. */
export const nodeProxy: RelaySubresource<Node> = {
  relay: {
    kind: 'NodeProxyOptions',
    verbs: PROXY_VERBS,
    takesPath: true,
    parameters: [PATH_PARAMETER],
    async answer({ name, parent }) {
      const target = readTarget(name);
      if (target === undefined) throw apiError.badRequest(`invalid node request "${name}"`);
      requireProxyable(addressOfNode(await parent(target.name)));
      throw apiError.serviceUnavailable('error trying to reach service: this server reaches no nodes');
    },
  },
};
