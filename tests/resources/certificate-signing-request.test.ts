import { describe, expect, it } from 'vitest';
import { k8s, orch } from '../../src/meta/dialect.js';
import { type FieldError, formatFieldError } from '../../src/meta/field-error.js';
import { createCertificateAuthority } from '../../src/pki/certificate-authority.js';
import {
  validateApproval,
  validateNewRequest,
  validateSigning,
} from '../../src/resources/certificates/certificate-signing-request-validation.js';
import type { CertificateSigningRequest } from '../../src/resources/certificates/certificates-v1.types.js';
import { certificateSigningRequest } from '../../src/resources/certificates/index.js';
import { makeRequest } from '../pki/make-request.js';
import { fakeHost } from '../support/hosts.js';
import { hasSharedData } from '../support/shared-data.js';
import { cases, describeExpected, type Expected } from './certificate-data.js';
import { context, updated } from './steps.js';

interface Parts {
  readonly conditions?: readonly { readonly type?: string; readonly status?: string }[];
  readonly certificate?: string;
}
const { pem } = await makeRequest();
const { certificate: GOOD } = await createCertificateAuthority({ commonName: 'issued' });
const spec = { request: btoa(pem), signerName: 'example.com/valid-name', usages: ['key encipherment'] };
const withStatus = ({ conditions, certificate }: Parts) =>
  ({
    metadata: { name: 'csr' },
    spec,
    status: {
      ...(conditions ? { conditions: conditions.map((each) => ({ type: '', status: '', ...each })) } : {}),
      ...(certificate === undefined ? {} : { certificate: btoa(certificate) }),
    },
  }) as unknown as CertificateSigningRequest;
const texts = (errors: readonly FieldError[]) => errors.map(formatFieldError);

describe.skipIf(!hasSharedData)('shared validation cases (skipped where the data is absent)', () => {
  const file = 'validation-cases.json';
  interface Create {
    readonly name: string;
    readonly spec: { readonly request?: string };
    readonly errors: readonly Expected[];
  }
  it.each(cases<Create>(file, 'create'))('new: $name', async ({ spec: given, errors }) => {
    const request = given.request === undefined ? null : btoa(given.request);
    const object = {
      metadata: { name: 'csr' },
      spec: { signerName: '', ...given, request },
      status: {},
    } as unknown as CertificateSigningRequest;
    const found = await validateNewRequest(object, fakeHost());
    expect(found).toHaveLength(errors.length);
    for (const [i, expected] of errors.entries()) expect(found[i]).toMatchObject(describeExpected(expected) as object);
  });

  interface Update {
    readonly name: string;
    readonly old: Parts;
    readonly new: Parts;
    readonly errors: readonly string[];
  }
  it.each(cases<Update>(file, 'statusUpdate'))('status: $name', async ({ old, new: next, errors }) => {
    expect(texts(await validateSigning(withStatus(next), withStatus(old), k8s.rulings))).toEqual(errors);
  });
  it.each(cases<Update>(file, 'approvalUpdate').filter(({ name }) => name !== 'set certificate'))(
    'approval: $name',
    ({ old, new: next, errors }) => {
      expect(texts(validateApproval(withStatus(next), withStatus(old), k8s.rulings))).toEqual(errors);
    },
  );

  interface Strict {
    readonly name: string;
    readonly status: Parts;
    readonly strictErrors?: readonly string[];
    readonly spec?: object;
  }
  const strict = cases<Strict>(file, 'strictValidation').filter(({ spec: own }) => own === undefined);
  it.each(strict)('conditions of a status: $name', async ({ status, strictErrors }) => {
    // An approval is validated with the stored certificate, and a status with its own one.
    const before = withStatus({});
    const found = [
      ...texts(
        validateApproval(
          withStatus({ ...(status.conditions ? { conditions: status.conditions } : {}) }),
          before,
          k8s.rulings,
        ),
      ),
      ...texts(
        await validateSigning(
          withStatus({ ...(status.certificate === undefined ? {} : { certificate: status.certificate }) }),
          before,
          k8s.rulings,
        ),
      ),
    ];
    if (strictErrors) expect(found.sort()).toEqual([...strictErrors].sort());
    else expect(found.join()).toMatch(/^status\.certificate: Invalid value: "<certificate data>": x509: /); // other words for the same
  });

  interface Prepare {
    readonly name: string;
    readonly old: readonly object[];
    readonly new: readonly object[];
    readonly want: readonly object[];
  }
  const prepared = cases<Prepare>('admission-strategy-cases.json', 'statusPrepareForUpdate').filter(({ old }) =>
    Array.isArray(old),
  );
  it.each(prepared)('a status keeps conditions and sets times: $name', ({ old, new: next, want }) => {
    const later = '2030-01-01T00:00:00Z';
    const now = new Date(context.host.clock.now()).toISOString().replace('.000', '');
    const real = (conditions: readonly object[], fallback: object) =>
      conditions
        .map((each) => ({ status: 'True', lastUpdateTime: null, lastTransitionTime: null, ...fallback, ...each }))
        .map(
          (each) =>
            JSON.parse(
              JSON.stringify(each).replaceAll('"LATER"', `"${later}"`).replaceAll('"NOW"', `"${now}"`),
            ) as object,
        );
    const stored = {
      metadata: { name: 'csr', creationTimestamp: null },
      spec,
      status: { conditions: real(old, {}) },
    } as unknown as CertificateSigningRequest;
    const body = { metadata: { name: 'csr' }, spec, status: { conditions: real(next, {}) } };
    const result = updated(certificateSigningRequest, body, stored, 'status');
    expect(result.status.conditions).toEqual(real(want, {}));
  });
});

describe('a certificate that requires approval', () => {
  const True = (type: string) => ({ type, status: 'True' });
  const certificate = '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n';
  it.each([
    ['no decision', [], 'updates may not set certificate content without a condition of type "Approved"'],
    ['a denial', [True('Denied')], 'updates may not set certificate content without a condition of type "Approved"'],
    [
      'a failure beside the approval',
      [True('Approved'), True('Failed')],
      'updates may not set certificate content beside a condition of type "Failed"',
    ],
  ])('is refused after %s', async (_name, conditions, why) => {
    const old = withStatus({ conditions });
    // A value that is not a certificate is reported first.
    expect(texts(await validateSigning(withStatus({ conditions, certificate }), old, orch.rulings))[0]).toContain(
      'containing 0 certificates',
    );
    const issued = { ...old, status: { ...old.status, certificate: btoa(GOOD) } };
    expect(texts(await validateSigning(issued, old, orch.rulings))[0]).toBe(`status.certificate: Forbidden: ${why}`);
    expect(await validateSigning(issued, old, k8s.rulings)).toEqual([]);
  });
  it('does not fail because of an approval', () => {
    const next = withStatus({ conditions: [True('Failed')] });
    expect(texts(validateApproval(next, withStatus({}), orch.rulings))).toEqual([
      'status.conditions: Forbidden: updates may not add a condition of type "Failed"',
    ]);
    expect(validateApproval(next, withStatus({}), k8s.rulings)).toEqual([]);
  });
});

describe('an invalid signing request', () => {
  const problems = async (request: string) =>
    texts(
      await validateNewRequest(
        { metadata: {}, spec: { ...spec, request }, status: {} } as unknown as CertificateSigningRequest,
        fakeHost(),
      ),
    );
  it('is quoted in the error, truncated if it is long', async () => {
    expect(await problems(btoa('hi'))).toEqual([
      'spec.request: Invalid value: []byte{0x68, 0x69}: PEM block type must be CERTIFICATE REQUEST',
    ]);
    const [long = ''] = await problems(btoa('x'.repeat(1_000_000)));
    expect(long.length).toBeLessThan(110_000);
    expect(long).toContain(', ...}: PEM block type');
  });
});
