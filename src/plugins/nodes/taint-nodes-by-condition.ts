import type { AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { domainName } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';

interface NodeObject extends ApiObject {
  readonly spec?: { readonly taints?: readonly { readonly key?: string; readonly effect?: string }[] };
}
const EFFECT = 'NoSchedule';

/** Taints a new node as not ready, so that pods are not scheduled to it until a controller removes the taint. */
export const taintNodesByCondition: AdmissionPluginFactory = ({ dialect }) => {
  const key = `node.${domainName(dialect, 'not-ready')}`;
  return {
    name: 'TaintNodesByCondition',
    handles: ({ operation, resource, subresource }) =>
      operation === 'CREATE' && resource.resource === 'nodes' && resource.group === '' && subresource === '',
    admit({ object }) {
      const node = object as NodeObject; // handles() lets only nodes in
      const { taints = [] } = node.spec ?? {};
      if (taints.some((taint) => taint.key === key && taint.effect === EFFECT)) return undefined;
      return { ...node, spec: { ...node.spec, taints: [...taints, { key, effect: EFFECT }] } } as ApiObject;
    },
  };
};
