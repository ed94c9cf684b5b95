import { allContainers } from '../../../../admission/pods/all-containers.js';
import type { Host } from '../../../../meta/host.js';
import type { ObjectMeta } from '../../../../meta/object-meta.js';
import type { Container, PodSpec } from '../../core-v1.types.js';

/** What pods are judged by, beside themselves. */
export interface PodRules extends Pick<Host, 'dialect' | 'allowPrivileged' | 'gates'> {
  /** The pod or template as it was before: what it has by rules that were switched off since, it may keep. */
  readonly before?: { readonly metadata: ObjectMeta; readonly spec: PodSpec };
  /** Whether selectors may name values that no label can have: its owner's selector did so before. */
  readonly anyLabelValues?: boolean;
}

/** The rules for a changed pod or template. */
export function rulesAfter({ dialect, allowPrivileged, gates }: PodRules, before: PodRules['before']): PodRules {
  return { dialect, allowPrivileged, gates, ...(before ? { before } : {}) };
}

/** The names of variables that a pod has. */
export function variableNames(spec: PodSpec): ReadonlySet<string> {
  return new Set(
    allContainers<Container>(spec).flatMap(({ env = [], envFrom = [] }) => [
      ...env.map(({ name }) => name),
      ...envFrom.map(({ prefix = '' }) => prefix),
    ]),
  );
}
