import type { FieldError } from '../../meta/field-error.js';
import { dns1123Label } from '../../meta/names.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { keepMetadata } from '../../registry/definitions/status-apart.js';
import type { Draft } from '../../registry/strategy.js';
import { validateAtMost, validateCounts } from './counts.js';

/** Writes of the object leave its status alone. */
export function keepStatus(draft: { status: unknown }, old: ApiObject & { readonly status: unknown }): void {
  Object.assign(draft, { status: old.status });
}

/** Writes of the status leave the spec alone. */
export function keepSpec(draft: { spec: unknown }, old: ApiObject & { readonly spec: unknown }): void {
  Object.assign(draft, { spec: old.spec });
}

/** Writes of the status leave all but the status alone. */
export function keepAllButStatus(
  draft: Draft<ApiObject & { readonly spec: unknown }>,
  old: ApiObject & { readonly spec: unknown },
): void {
  keepSpec(draft, old);
  keepMetadata(draft, old);
}

interface ReplicaCounts {
  readonly replicas: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly observedGeneration?: number;
}

/** Problems of a status of replicas. */
export function validateReplicaStatus({ status: observed }: { readonly status: ReplicaCounts }): FieldError[] {
  return [
    ...validateCounts('status', observed, [
      'replicas',
      'fullyLabeledReplicas',
      'readyReplicas',
      'availableReplicas',
      'observedGeneration',
    ]),
    ...validateAtMost(
      'status',
      observed,
      ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
      observed.replicas,
      'status.replicas',
    ),
    ...validateAtMost('status', observed, ['availableReplicas'], observed.readyReplicas, 'readyReplicas'),
  ];
}

/** Names that begin those of pods had better be good for host names; said when the object is new. */
export function podNameWarnings({ metadata }: ApiObject, old: ApiObject | undefined): readonly string[] {
  const problems = old === undefined ? dns1123Label(metadata.name ?? '') : [];
  if (problems.length === 0) return [];
  return [
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
  ];
}
