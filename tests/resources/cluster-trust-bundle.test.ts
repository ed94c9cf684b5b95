import { describe, expect, it } from 'vitest';
import { k8s } from '../../src/meta/dialect.js';
import { type FieldError, fieldErrorBody } from '../../src/meta/field-error.js';
import { METADATA_CHECK, validateWholeMeta } from '../../src/meta/object-meta-validation.js';
import { createCertificateAuthority, issueCertificate } from '../../src/pki/certificate-authority.js';
import { encodeDistinguishedName } from '../../src/pki/names/distinguished-name.js';
import { encodePem } from '../../src/pki/pem.js';
import { generateKey } from '../../src/pki/private-key.js';
import { serveResource } from '../../src/registry/served/served-resource.js';
import { metadataRules } from '../../src/registry/writes/prepare.js';
import type { ClusterTrustBundle } from '../../src/resources/certificates/certificates-v1alpha1.types.js';
import { validateTrustAnchors } from '../../src/resources/certificates/cluster-trust-bundle.js';
import { clusterTrustBundle } from '../../src/resources/certificates/index.js';
import { buildRaw } from '../pki/raw-certificate.js';
import { cpuTime } from '../support/cpu-time.js';
import { hasSharedData } from '../support/shared-data.js';
import { cases, describeExpected, type Expected } from './certificate-data.js';
import { context } from './steps.js';

const served = serveResource(clusterTrustBundle, k8s);

async function problems(object: ClusterTrustBundle, old?: ClusterTrustBundle): Promise<readonly FieldError[]> {
  const { strategy } = clusterTrustBundle;
  const own = old ? strategy?.validateUpdate?.(object, old, context) : strategy?.validate?.(object, context);
  const errors = [...validateWholeMeta(object.metadata, metadataRules(served, object)), ...((await own) ?? [])];
  return errors.filter((error) => error !== METADATA_CHECK);
}

interface Spec {
  readonly signerName?: string;
  readonly trustBundle?: string;
}
const bundle = (name: string, { signerName, trustBundle = '' }: Spec) =>
  ({
    metadata: { name },
    spec: { trustBundle, ...(signerName === undefined ? {} : { signerName }) },
  }) as unknown as ClusterTrustBundle;

describe.skipIf(!hasSharedData)('shared cases (skipped where the data is absent)', () => {
  const file = 'validation-cases.json';
  interface New {
    readonly name: string;
    readonly object: { readonly metadata: { readonly name: string }; readonly spec: Spec };
    readonly errors: readonly Expected[];
    readonly suppressBundleParsing?: boolean;
  }
  it.each(cases<New>(file, 'clusterTrustBundle'))('$name', async ({ object, errors, suppressBundleParsing }) => {
    const given = bundle(object.metadata.name, object.spec);
    const found = await problems(given, suppressBundleParsing ? given : undefined);
    expect(found).toMatchObject(errors.map(describeExpected));
  });

  interface Update {
    readonly name: string;
    readonly old: Spec & { readonly name: string };
    readonly new: Spec & { readonly name: string };
    readonly errors: readonly Expected[];
  }
  it.each(cases<Update>(file, 'clusterTrustBundleUpdate'))('$name', async ({ old, new: next, errors }) => {
    const found = await problems(bundle(next.name, next), bundle(old.name, old));
    expect(found).toMatchObject(errors.map(describeExpected));
  });
});

describe('trust anchors', async () => {
  const one = await createCertificateAuthority({ commonName: 'one' });
  const two = await createCertificateAuthority({ commonName: 'two' });
  const leaf = await issueCertificate(one, { commonName: 'leaf', usages: ['clientAuth'] });
  const name = encodeDistinguishedName('bare');
  const { publicKey, signing } = await generateKey();
  const bare = await buildRaw({ issuer: name, subject: name, publicKey, notBefore: 0, notAfter: 1e12 }, signing);
  const headed = one.certificate.replace(
    '-----BEGIN CERTIFICATE-----\n',
    '-----BEGIN CERTIFICATE-----\nProc-Type: 4,ENCRYPTED\n\n',
  );
  const nested = `-----BEGIN CERTIFICATE-----\n${one.certificate}`;
  it.each([
    ['may be several', one.certificate + two.certificate, []],
    ['may have text between them', `a\n${one.certificate}b: c\n${two.certificate}d`, []],
    ['must not be repeated', one.certificate.repeat(3), ['duplicate trust anchor (indices [0 1 2])']],
    ['must be authorities', one.certificate + leaf.certificate, ['entry 1 does not have the CA bit set']],
    ['must have basic constraints', encodePem('CERTIFICATE', bare), ['entry 0 does not have the CA bit set']],
    ['must not have PEM headers', two.certificate + headed, ['entry 1 has PEM block headers']],
    ['may follow a stray begin line', nested, []],
    [
      'must contain a complete block',
      '-----BEGIN CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\n',
      ['at least one trust anchor must be provided'],
    ],
    ['must not be a private key', one.certificate + one.key, ['entry 1 has bad block type: PRIVATE KEY']],
  ])('%s', async (_name, text, expected) => {
    expect((await validateTrustAnchors(text)).map(fieldErrorBody)).toEqual(
      expected.map((why) => `Invalid value: "<value omitted>": ${why}`),
    );
  });
  it('are parsed in time proportional to their length', async () => {
    const hostile = '-----BEGIN CERTIFICATE-----\n'.repeat(37_000);
    const start = cpuTime();
    expect(await validateTrustAnchors(hostile)).toHaveLength(1);
    expect(cpuTime() - start).toBeLessThan(10_000);
  });
});
