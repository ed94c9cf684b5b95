import type { ApiObject } from '../../meta/object-meta.js';
import type { Column } from '../../registry/resource-definition.js';
import { formatLabelSelector } from '../../selectors/label-selector.js';
import { compileSelector, type LabelSelectorObject } from '../../selectors/label-selector-object.js';
import { sortTexts } from '../../values/sorted.js';

type Labels = Readonly<Record<string, string>> | undefined | null;

/** Returns labels as a cell: `a=b,c=d`. */
export function labelsCell(labels: Labels): string {
  const keys = sortTexts(Object.keys(labels ?? {}));
  return keys.length === 0 ? '<none>' : keys.map((key) => `${key}=${labels?.[key]}`).join(',');
}

/** Returns a selector as a string; '' when it matches everything or nothing. */
export function selectorText(selector: LabelSelectorObject | undefined): string {
  const compiled = compileSelector(selector);
  return compiled === undefined ? '<error>' : formatLabelSelector(compiled);
}

/** Returns a selector as a cell. */
export const selectorCell = (selector: LabelSelectorObject | undefined): string => selectorText(selector) || '<none>';

interface Pods {
  readonly spec: {
    readonly containers: readonly { readonly name: string; readonly image?: string }[] | null;
  };
}

/** Returns columns with the names and images of a template's containers. `priority` is 1 for columns of the wide output only. */
/* @__NO_SIDE_EFFECTS__ */
export function containerColumns<T extends ApiObject>(
  pods: (object: T) => Pods | undefined,
  priority = 1,
): Column<T>[] {
  const column = (
    name: string,
    description: string,
    text: (container: { name: string; image?: string }) => string,
  ) => ({
    name,
    type: 'string' as const,
    description,
    priority,
    cell: (object: T) => (pods(object)?.spec.containers ?? []).map(text).join(','),
  });
  return [
    column('Containers', 'The names of the containers.', ({ name }) => name),
    column('Images', 'The images of the containers.', ({ image = '' }) => image),
  ];
}

/** An object that keeps a number of pods running. */
interface Replicated extends ApiObject {
  readonly spec: { readonly replicas?: number };
  readonly status: { readonly replicas: number; readonly readyReplicas?: number };
}

/** The table columns with the numbers of pods of a ReplicaSet or ReplicationController. */
export const replicaColumns: readonly Column<Replicated>[] = [
  {
    name: 'Desired',
    type: 'integer',
    description: 'The desired number of pods.',
    cell: ({ spec }) => spec.replicas ?? 0,
  },
  {
    name: 'Current',
    type: 'integer',
    description: 'The current number of pods.',
    cell: ({ status }) => status.replicas,
  },
  {
    name: 'Ready',
    type: 'integer',
    description: 'The pods that are ready.',
    cell: ({ status }) => status.readyReplicas ?? 0,
  },
];
