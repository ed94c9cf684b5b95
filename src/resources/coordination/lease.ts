import { type FieldError, fieldError } from '../../meta/field-error.js';
import { qualifiedName } from '../../meta/names.js';
import { defineResource } from '../../registry/resource-definition.js';
import { age, nameColumn } from '../shared/columns.js';
import { coordinationV1 } from './coordination-v1.js';
import type { LeaseSpec } from './coordination-v1.types.js';

const OLDEST = 'OldestEmulationVersion';

/** coordination/v1 Lease: records who holds a lock, such as a leader or a node that sends heartbeats, and how long the lease is valid. */
export const lease = defineResource({
  groupStem: 'coordination',
  version: 'v1',
  knownVersions: ['v1beta1'],
  kind: 'Lease',
  plural: 'leases',
  genericMetadata: true,
  scope: 'Namespaced',
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  schema: coordinationV1.struct('Lease'),
  gatedFields: [
    { gate: 'CoordinatedLeaderElection', fields: ['spec.strategy'] },
    { gate: 'CoordinatedLeaderElection', fields: ['spec.preferredHolder'] },
  ],
  strategy: { validate: (object) => validateSpec(object.spec) },
  columns: [
    nameColumn,
    { name: 'Holder', type: 'string', description: 'The holder.', cell: ({ spec }) => spec.holderIdentity ?? '' },
    age,
  ],
});

/** Checks that the strategy is OldestEmulationVersion or a domain-prefixed name. As in upstream, the path contains `strategy` twice. */
function validateLeaseStrategy(strategy: string): FieldError[] {
  const path = 'spec.strategy.strategy';
  if (strategy.includes('/')) return qualifiedName(strategy).map((why) => fieldError.invalid(path, strategy, why));
  return strategy === OLDEST ? [] : [fieldError.notSupported(path, strategy, [OLDEST])];
}

function validateSpec(leaseSpec: LeaseSpec): FieldError[] {
  const { leaseDurationSeconds, leaseTransitions, strategy, preferredHolder } = leaseSpec;
  const errors: FieldError[] = [];
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0)
    errors.push(fieldError.invalid('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0'));
  if (leaseTransitions !== undefined && leaseTransitions < 0)
    errors.push(fieldError.invalid('spec.leaseTransitions', leaseTransitions, 'must be greater than or equal to 0'));
  if (strategy !== undefined) errors.push(...validateLeaseStrategy(strategy));
  if ((preferredHolder ?? '') !== '' && (strategy ?? '') === '')
    errors.push(fieldError.forbidden('spec.preferredHolder', 'may only be specified if `strategy` is defined'));
  return errors;
}
