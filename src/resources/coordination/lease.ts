import { type FieldError, fieldError } from '../../meta/field-error.js';
import { qualifiedName } from '../../meta/names.js';
import { defineRules, type ObjectOfRules } from '../../registry/built-in-kind.js';
import { always, int32, microTime, type OutputOf, omitNull, string, struct } from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { age, nameColumn } from '../fragments/columns.js';

const OLDEST = 'OldestEmulationVersion';

const spec = struct('io.k8s.api.coordination.v1.LeaseSpec', 'The holder and the times of the lease.', () => ({
  holderIdentity: omitNull(string(), 1, 'The holder of the lease.'),
  leaseDurationSeconds: omitNull(int32(), 2, 'How long others wait after the last renewal, in seconds.'),
  acquireTime: omitNull(microTime(), 3, 'When it was taken.'),
  renewTime: omitNull(microTime(), 4, 'When it was last renewed.'),
  leaseTransitions: omitNull(int32(), 5, 'The number of changes of the holder.'),
  strategy: omitNull(string({ typeName: 'v1.CoordinatedLeaseStrategy' }), 6, 'The way a leader is chosen.'),
  preferredHolder: omitNull(string(), 7, 'The preferred next holder.'),
}));

export const leaseRules = defineRules({
  schema: topLevel('io.k8s.api.coordination.v1.Lease', 'A claim to lead that must be renewed.', () => ({
    spec: always(spec, 2, 'The holder and the times of the lease.'),
  })),
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
export type Lease = ObjectOfRules<typeof leaseRules>;

/** The server's own way of choosing, or one with a domain. The wire names the field twice. */
function validateLeaseStrategy(strategy: string): FieldError[] {
  const path = 'spec.strategy.strategy';
  if (strategy.includes('/')) return qualifiedName(strategy).map((why) => fieldError.invalid(path, strategy, why));
  return strategy === OLDEST ? [] : [fieldError.notSupported(path, strategy, [OLDEST])];
}

function validateSpec(given: OutputOf<typeof spec>): FieldError[] {
  const { leaseDurationSeconds, leaseTransitions, strategy, preferredHolder } = given;
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
