import { formatTime } from '../../meta/clock.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import { defineResource } from '../../registry/resource-definition.js';
import { humanDuration } from '../../values/duration.js';
import { age, nameColumn } from '../shared/columns.js';
import { firstBy } from '../shared/first-by.js';
import { mergingRequestSchema, type RequestDraft } from './certificate-signing-request-schema.js';
import { validateApproval, validateNewRequest, validateSigning } from './certificate-signing-request-validation.js';
import { certificatesV1 } from './certificates-v1.js';
import type { CertificateSigningRequest, CertificateSigningRequestCondition } from './certificates-v1.types.js';
import { hasCondition } from './request-condition.js';

/** certificates/v1 CertificateSigningRequest: requests an X.509 certificate from a signer (spec 15.1). */
export const certificateSigningRequest = defineResource({
  groupStem: 'certificates',
  version: 'v1',
  knownVersions: ['v1beta1'],
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
  shortNames: ['csr'],
  metadataChecks: ['whole', 'changes'],
  scope: 'Cluster',
  schema: certificatesV1.struct('CertificateSigningRequest'),
  patchSchema: ({ rulings }) => (rulings.certificateConditionsMerge === 'by-type' ? mergingRequestSchema() : undefined),
  // Any name that can be part of a path is valid.
  nameRule: () => [],
  resetFields: ['spec', 'status'],
  strategy: {
    prepareForCreate(draft, { user }) {
      const { username, uid = '', groups = [], extra = {} } = user;
      const { request, signerName, expirationSeconds, usages } = draft.spec;
      draft.spec = {
        request,
        signerName,
        ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
        ...(usages ? { usages } : {}),
        ...(username === '' ? {} : { username }),
        ...(uid === '' ? {} : { uid }),
        ...(groups.length === 0 ? {} : { groups: [...groups] }),
        ...(Object.keys(extra).length === 0 ? {} : { extra: copyExtra(extra) }),
      };
      draft.status = {};
    },
    prepareForUpdate: (draft, old) => void Object.assign(draft, { spec: old.spec, status: old.status }),
    validate: (object, { host }) => validateNewRequest(object, host),
    validateUpdate: () => [],
  },
  subresources: {
    status: {
      resetFields: ['spec', 'status.conditions'],
      metadataChecks: ['whole', 'changes'],
      strategy: {
        prepareForUpdate(draft, old, { host }) {
          Object.assign(draft, { spec: old.spec });
          keepDecisions(draft, old);
          fillTimes(draft, old, formatTime(host.clock.now()));
        },
        validateUpdate: async (next, old, { host }) => [
          ...(await validateSigning(next, old, host.dialect.rulings)),
          METADATA_CHECK,
        ],
      },
    },
    approval: {
      table: false,
      resetFields: ['spec', 'status.certificate'],
      metadataChecks: ['whole', 'changes'],
      strategy: {
        prepareForUpdate(draft, old, { host }) {
          Object.assign(draft, { spec: old.spec });
          if (old.status.certificate === undefined) delete draft.status.certificate;
          else draft.status.certificate = old.status.certificate;
          fillTimes(draft, old, formatTime(host.clock.now()));
        },
        validateUpdate: (next, old, { host }) => [...validateApproval(next, old, host.dialect.rulings), METADATA_CHECK],
      },
    },
  },
  selectableFields: { 'spec.signerName': ({ spec }) => spec.signerName },
  columns: [
    nameColumn,
    age,
    {
      name: 'SignerName',
      type: 'string',
      description: 'The signer.',
      cell: ({ spec }) => spec.signerName || '<none>',
    },
    { name: 'Requestor', type: 'string', description: 'The requester.', cell: ({ spec }) => spec.username ?? '' },
    {
      name: 'RequestedDuration',
      type: 'string',
      description: 'The requested validity of the certificate.',
      cell: ({ spec: { expirationSeconds } }) =>
        expirationSeconds === undefined ? '<none>' : humanDuration(expirationSeconds * 1000),
    },
    { name: 'Condition', type: 'string', description: 'The state of the request.', cell: describeState },
  ],
});

/** Returns the state of a certificate signing request as a table cell, such as `Approved,Issued` (spec 15.7). */
function describeState(request: CertificateSigningRequest): string {
  const decision = hasCondition(request, 'Denied')
    ? 'Denied'
    : hasCondition(request, 'Approved')
      ? 'Approved'
      : 'Pending';
  const failed = hasCondition(request, 'Failed') ? ',Failed' : '';
  const issued = (request.status.certificate ?? '') === '' ? '' : ',Issued';
  return `${decision}${failed}${issued}`;
}

function copyExtra(extra: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]));
}

const decisions = ['Approved', 'Denied'] as const;

/**
 * Replaces the conditions Approved and Denied by the stored ones. If their number differs, they are not replaced, and validation reports
 * the difference.
 */
function keepDecisions(draft: RequestDraft, old: CertificateSigningRequest): void {
  for (const decision of decisions) {
    const stored = old.status.conditions?.filter(({ type }) => type === decision) ?? [];
    const places = (draft.status.conditions ?? []).flatMap(({ type }, index) => (type === decision ? [index] : []));
    if (places.length !== stored.length) continue;
    for (const [i, place] of places.entries()) {
      const storedCondition = stored[i];
      if (storedCondition && draft.status.conditions) draft.status.conditions[place] = { ...storedCondition };
    }
  }
}

/**
 * Fills in absent times. The update time is the current time. The transition time is that of the stored condition with the same type and
 * status, or the current time if there is none (spec 15.5).
 */
function fillTimes(draft: RequestDraft, old: CertificateSigningRequest, now: string): void {
  const changed = (old.status.conditions ?? []).filter((each) => each.lastTransitionTime !== null);
  const before = firstBy(changed, typeAndStatus);
  for (const condition of draft.status.conditions ?? []) {
    condition.lastUpdateTime ??= now;
    condition.lastTransitionTime ??= before.get(typeAndStatus(condition))?.lastTransitionTime ?? now;
  }
}

const typeAndStatus = ({ type, status }: Pick<CertificateSigningRequestCondition, 'type' | 'status'>) =>
  JSON.stringify([type, status]);
