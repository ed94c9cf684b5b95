import type { Host } from '../../../../meta/host.js';
import type { ObjectMeta } from '../../../../meta/object-meta.js';
import type { Container, PodSpec } from '../../core-v1.types.js';
import { allContainers } from '../pod-containers.js';

/** The context in which pods are validated. */
export interface PodRules extends Pick<Host, 'dialect' | 'allowPrivileged' | 'gates'> {
  /** The stored pod or template. An update may keep its values even if they are valid only with a feature that is off. */
  readonly before?: { readonly metadata: ObjectMeta; readonly spec: PodSpec };
  /** Whether selectors may contain values that are not valid for labels, because the selector of the stored owner contains such values. */
  readonly anyLabelValues?: boolean;
}

/** Returns the rules for an update of a pod or a template. */
export function rulesAfter({ dialect, allowPrivileged, gates }: PodRules, before: PodRules['before']): PodRules {
  return { dialect, allowPrivileged, gates, ...(before ? { before } : {}) };
}

/** Returns the names of all environment variables of a pod. */
export function variableNames(spec: PodSpec): ReadonlySet<string> {
  return new Set(
    allContainers<Container>(spec).flatMap(({ env = [], envFrom = [] }) => [
      ...env.map(({ name }) => name),
      ...envFrom.map(({ prefix = '' }) => prefix),
    ]),
  );
}
