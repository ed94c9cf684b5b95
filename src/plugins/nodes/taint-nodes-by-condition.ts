import { ruledPlugin } from '../../admission/ruled-plugin.js';
import { domainName } from '../../meta/dialect.js';
import type { Node } from '../../resources/core/core-v1.types.js';

const EFFECT = 'NoSchedule';

/** Adds the taint `not-ready` to a new node, so that pods are not scheduled to the node until a controller removes the taint. */
export const taintNodesByCondition = ruledPlugin<Node>({
  name: 'TaintNodesByCondition',
  rules: [{ operations: ['CREATE'], apiGroups: [''], resources: ['nodes'] }],
  create({ dialect }) {
    const key = `node.${domainName(dialect, 'not-ready')}`;
    return {
      admit({ object: node }) {
        const { taints = [] } = node.spec;
        if (taints.some((taint) => taint.key === key && taint.effect === EFFECT)) return undefined;
        return { ...node, spec: { ...node.spec, taints: [...taints, { key, effect: EFFECT }] } };
      },
    };
  },
});
