import { groupOf } from '../../meta/dialect.js';
import type { Host, Lister } from '../../meta/host.js';
import type { Pod } from '../../resources/core/pod/pod.js';
import { podDisruptionBudget } from '../../resources/policy/index.js';
import type { PodDisruptionBudget } from '../../resources/policy/policy-v1.types.js';
import type { LabelSelector } from '../../selectors/label-selector.js';
import { compileSelector, type LabelSelectorObject } from '../../selectors/label-selector-object.js';

export const podLister = (host: Host): Lister<Pod> => host.lister<Pod>('', 'pods');

export const budgetLister = (host: Host): Lister<PodDisruptionBudget> =>
  host.lister<PodDisruptionBudget>(groupOf(host.dialect, 'policy'), podDisruptionBudget.plural);

/** Returns the budgets of a pod's namespace that select it. */
export function selectingBudgets({ metadata }: Pod, host: Host): readonly PodDisruptionBudget[] {
  const { namespace = '', labels } = metadata;
  return budgetLister(host)
    .list(namespace)
    .filter(({ spec: { selector } }) => selector && compiled(selector)?.matches(labels));
}

// Every change of a pod matches all selectors of its namespace, so compiled selectors are kept. Selector objects are frozen, and status
// updates keep the same object.
const selectors = new WeakMap<LabelSelectorObject, { readonly selector: LabelSelector | undefined }>();

function compiled(selector: LabelSelectorObject): LabelSelector | undefined {
  let known = selectors.get(selector);
  if (!known) selectors.set(selector, (known = { selector: compileSelector(selector) }));
  return known.selector;
}
