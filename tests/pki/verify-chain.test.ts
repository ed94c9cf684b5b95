import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Certificate } from '../../src/pki/certificate.js';
import { createCertificateAuthority } from '../../src/pki/certificate-authority.js';
import { readCertificates } from '../../src/pki/certificate-reader.js';
import { type ChainRequest, verifyChain } from '../../src/pki/verify-chain.js';
import { cpuTime } from '../support/cpu-time.js';
import { hasSharedData, readSharedText } from '../support/shared-data.js';
import {
  caExtensions,
  clientExtensions,
  hasOpenssl,
  type Issued,
  type IssueOptions,
  keyKinds,
  Workshop,
} from './openssl.js';

const now = Date.parse('2026-11-21T12:00:00Z');
const verify = async (leaf: Certificate, others: Partial<ChainRequest>) => {
  const result = await verifyChain({ leaf, intermediates: [], roots: [], now, ...others });
  return result.ok ? result.chain.map((c) => c.subject.commonName).join(' < ') : result.error;
};
const UNKNOWN = 'x509: certificate signed by unknown authority';
const EXPIRED = 'x509: certificate has expired or is not yet valid: current time 2026-11-21T12:00:00Z is';

describe.skipIf(!hasSharedData)('shared certificates (skipped where the data is absent)', () => {
  const read = (name: string) => readCertificates(readSharedText(`data/auth-x509/pem/${name}.pem`));
  it('accepts a chain over an intermediate', async () => {
    const [leaf] = read('client-valid');
    if (leaf)
      expect(await verify(leaf, { intermediates: read('intermediate'), roots: read('root') })).toBe(
        'My Client < Intermediate-CA < Root-CA',
      );
    if (leaf) expect(await verify(leaf, { roots: read('root') })).toBe(UNKNOWN);
  });
  it('refuses an expired certificate', async () => {
    const [leaf] = read('client-expired');
    if (leaf)
      expect(await verify(leaf, { intermediates: read('intermediate'), roots: read('root') })).toBe(
        `${EXPIRED} after 1990-12-31T23:59:00Z`,
      );
  });
});

describe.skipIf(!hasOpenssl)('chains of openssl (skipped where it is absent)', () => {
  let workshop: Workshop;
  let root: Issued;
  const issue = (options: IssueOptions) => workshop.issue(options);
  const ca = (options: IssueOptions) =>
    issue({ subject: '/CN=middle', issuer: root, extensions: caExtensions, ...options });
  const client = (options: IssueOptions) =>
    issue({ subject: '/CN=jane', issuer: root, extensions: clientExtensions, ...options });
  const from = (issued: Issued, ...intermediates: Issued[]) =>
    verify(issued.certificate, { intermediates: intermediates.map((i) => i.certificate), roots: [root.certificate] });

  beforeAll(() => {
    workshop = new Workshop();
    root = issue({ subject: '/CN=root', extensions: caExtensions });
  });
  afterAll(() => workshop?.close());

  it('accepts a direct client, and one below intermediates in any order', async () => {
    const upper = ca({ subject: '/CN=upper' });
    const lower = ca({ subject: '/CN=lower', issuer: upper });
    expect(await from(client({}))).toBe('jane < root');
    expect(await from(client({ issuer: lower }), upper, lower)).toBe('jane < lower < upper < root');
    expect(await from(client({ issuer: lower }), lower)).toBe(UNKNOWN);
  });

  it.each(keyKinds)('checks signatures of %s keys', async (key) => {
    const signer = issue({ subject: '/CN=signer', key, extensions: caExtensions });
    const other = issue({ subject: '/CN=signer', key, extensions: caExtensions });
    const leaf = client({ issuer: signer });
    expect(await verify(leaf.certificate, { roots: [signer.certificate] })).toBe('jane < signer');
    expect(await verify(leaf.certificate, { roots: [other.certificate] })).toMatch(
      /^x509: certificate signed by unknown authority \(possibly because of ".*verification (error|failure)" while trying to verify candidate authority certificate "signer"\)$/,
    );
    expect(await verify(leaf.certificate, { roots: [other.certificate, signer.certificate] })).toBe('jane < signer');
  });

  it('checks RSA-PSS signatures', async () => {
    const signer = issue({ subject: '/CN=signer', key: 'rsa', extensions: caExtensions });
    const leaf = client({
      issuer: signer,
      arguments: ['-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:32'],
    });
    expect(await verify(leaf.certificate, { roots: [signer.certificate] })).toBe('jane < signer');
    const odd = client({
      issuer: signer,
      arguments: ['-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:48'],
    });
    expect(await verify(odd.certificate, { roots: [signer.certificate] })).toContain('algorithm unimplemented');
  });

  it('refuses SHA-1', async () => {
    const signer = issue({ subject: '/CN=signer', key: 'rsa', extensions: caExtensions });
    const leaf = client({ issuer: signer, arguments: ['-md', 'sha1'] });
    expect(await verify(leaf.certificate, { roots: [signer.certificate] })).toContain(
      'x509: cannot verify signature: insecure algorithm SHA1-RSA',
    );
  });

  it('checks the validity of every certificate', async () => {
    expect(await from(client({ to: '20260101000000Z' }))).toBe(`${EXPIRED} after 2026-01-01T00:00:00Z`);
    expect(await from(client({ from: '20270101000000Z' }))).toBe(`${EXPIRED} before 2027-01-01T00:00:00Z`);
    const middle = ca({ to: '20260101000000Z' });
    expect(await from(client({ issuer: middle }), middle)).toBe(`${EXPIRED} after 2026-01-01T00:00:00Z`);
    const old = issue({ subject: '/CN=root', extensions: caExtensions, to: '20260101000000Z' });
    expect(await verify(client({ issuer: old }).certificate, { roots: [old.certificate] })).toBe(
      `${EXPIRED} after 2026-01-01T00:00:00Z`,
    );
  });

  it('refuses a client without the usage for clients, in the leaf or above', async () => {
    const wrong = 'x509: certificate specifies an incompatible key usage';
    expect(await from(client({ extensions: ['extendedKeyUsage=serverAuth'] }))).toBe(wrong);
    expect(await from(client({ extensions: ['extendedKeyUsage=serverAuth,anyExtendedKeyUsage'] }))).toBe('jane < root');
    expect(await from(client({ extensions: ['basicConstraints=CA:FALSE'] }))).toBe('jane < root');
    const middle = ca({ extensions: [...caExtensions, 'extendedKeyUsage=serverAuth'] });
    expect(await from(client({ issuer: middle }), middle)).toBe(wrong);
    const serverOnly = client({ extensions: ['extendedKeyUsage=serverAuth'] });
    expect(await verify(serverOnly.certificate, { roots: [root.certificate], usage: 'serverAuth' })).toBe(
      'jane < root',
    );
    expect(await verify(serverOnly.certificate, { roots: [root.certificate], usage: 'any' })).toBe('jane < root');
  });

  it('refuses issuers that may not sign certificates', async () => {
    const why = (problem: string, name: string) =>
      `${UNKNOWN} (possibly because of "${problem}" while trying to verify candidate authority certificate "${name}")`;
    const mayNot = 'x509: invalid signature: parent certificate cannot sign this kind of certificate';
    for (const extensions of [
      ['basicConstraints=CA:FALSE'],
      ['subjectKeyIdentifier=hash'],
      ['basicConstraints=critical,CA:TRUE', 'keyUsage=digitalSignature'],
    ]) {
      const middle = ca({ extensions });
      expect(await from(client({ issuer: middle }), middle)).toBe(why(mayNot, 'middle'));
    }
    const leaf = client({});
    expect(await from(client({ issuer: leaf, subject: '/CN=admin', extensions: [] }), leaf)).toBe(why(mayNot, 'jane'));
  });

  it('enforces the path length', async () => {
    const tight = ca({
      subject: '/CN=tight',
      extensions: ['basicConstraints=critical,CA:TRUE,pathlen:0', 'keyUsage=keyCertSign'],
    });
    const lower = ca({ subject: '/CN=lower', issuer: tight });
    expect(await from(client({ issuer: tight }), tight)).toBe('jane < tight < root');
    expect(await from(client({ issuer: lower }), lower, tight)).toBe(
      'x509: too many intermediates for path length constraint',
    );
  });

  it('refuses a self-signed client, unless it is a root', async () => {
    const self = issue({ subject: '/CN=self', extensions: clientExtensions.slice(0, 2) });
    expect(await from(self)).toBe(UNKNOWN);
    expect(await from(self, self)).toBe(UNKNOWN);
    expect(await verify(self.certificate, { roots: [self.certificate] })).toBe('self');
    const sameName = issue({ subject: '/CN=root', extensions: [] });
    expect(await from(sameName)).toContain(UNKNOWN);
  });

  it('refuses a signature by another key', async () => {
    const other = issue({ subject: '/CN=root', extensions: caExtensions });
    const forged = client({ issuer: other });
    expect(await from(forged)).toContain('x509: ECDSA verification failure');
  });

  it('refuses unknown critical extensions', async () => {
    const unknown = '1.2.3.4=critical,ASN1:NULL';
    expect(await from(client({ extensions: [...clientExtensions, unknown] }))).toBe(
      'x509: unhandled critical extension',
    );
    const middle = ca({ extensions: [...caExtensions, unknown] });
    expect(await from(client({ issuer: middle }), middle)).toBe('x509: unhandled critical extension');
    const harmless = client({
      extensions: [...clientExtensions, '1.2.3.4=ASN1:NULL', 'certificatePolicies=critical,1.2.3'],
    });
    expect(await from(harmless)).toBe('jane < root');
  });

  describe('name constraints', () => {
    const refused = 'x509: a root or intermediate certificate is not authorized to sign for this name: ';
    it.each([
      ['permitted;DNS:.example.org', 'DNS:a.example.org', ''],
      ['permitted;DNS:example.org', 'DNS:EXAMPLE.org', ''],
      ['permitted;DNS:.example.org', 'DNS:example.org', 'DNS name "example.org" is not permitted by any constraint'],
      [
        'permitted;DNS:example.org',
        'DNS:evilexample.org',
        'DNS name "evilexample.org" is not permitted by any constraint',
      ],
      ['excluded;DNS:bad.org', 'DNS:x.bad.org', 'DNS name "x.bad.org" is excluded by constraint "bad.org"'],
      ['permitted;IP:10.0.0.0/255.0.0.0', 'IP:10.9.8.7', ''],
      ['permitted;IP:10.0.0.0/255.0.0.0', 'IP:11.0.0.1', 'IP address "11.0.0.1" is not permitted by any constraint'],
      ['excluded;IP:10.0.0.0/255.0.0.0', 'IP:10.1.1.1', 'IP address "10.1.1.1" is excluded by constraint "10.0.0.0/8"'],
      [
        'permitted;IP:10.0.0.0/255.0.0.0',
        'IP:2001:db8::1',
        'IP address "2001:db8::1" is not permitted by any constraint',
      ],
      ['permitted;email:example.org', 'email:jo@example.org', ''],
      [
        'permitted;email:jo@example.org',
        'email:al@example.org',
        'email address "al@example.org" is not permitted by any constraint',
      ],
      ['permitted;URI:.example.org', 'URI:https://jo@a.example.org:8443/x', ''],
      [
        'permitted;URI:.example.org',
        'URI:https://a.example.org.evil/x',
        'URI "https://a.example.org.evil/x" is not permitted by any constraint',
      ],
      [
        'permitted;URI:.example.org',
        'URI:https://10.0.0.1/',
        'URI with IP ("https://10.0.0.1/") cannot be matched against constraints',
      ],
      [
        'permitted;URI:.example.org',
        'URI:urn:a',
        'URI with empty host ("urn:a") cannot be matched against constraints',
      ],
      ['permitted;DNS:example.org', 'IP:10.0.0.1', ''],
    ])('%s with %s', async (constraint, name, problem) => {
      const middle = ca({ extensions: [...caExtensions, `nameConstraints=critical,${constraint}`] });
      const leaf = client({ issuer: middle, extensions: [...clientExtensions, `subjectAltName=${name}`] });
      expect(await from(leaf, middle)).toBe(problem === '' ? 'jane < middle < root' : refused + problem);
    });
    it('of an unknown type are reported as unhandled', async () => {
      const middle = ca({
        extensions: [...caExtensions, 'nameConstraints=critical,permitted;dirName:dir', '[dir]', 'CN=x'],
      });
      expect(await from(client({ issuer: middle }), middle)).toBe('x509: unhandled critical extension');
    });
  });

  it('verifies a bounded number of signatures', async () => {
    const made = Array.from({ length: 12 }, () => ca({ subject: '/CN=maze', issuer: root }));
    const many = Array.from({ length: 300 }, (_, i) => ({
      ...(made[i % 12]?.certificate ?? root.certificate),
      publicKey: root.certificate.publicKey.map((b, at) => (at === 40 ? i % 256 : b)),
    }));
    const leaf = client({ issuer: made[0] ?? root }).certificate;
    const start = cpuTime();
    expect(await verify(leaf, { intermediates: many })).toBe(UNKNOWN);
    expect(await verify(leaf, { intermediates: many, roots: [root.certificate] })).toBe(
      'x509: signature check attempts limit reached while verifying certificate chain',
    );
    expect(cpuTime() - start).toBeLessThan(10_000);
  });

  it('does not follow cycles', async () => {
    const a = issue({ subject: '/CN=a', extensions: caExtensions });
    const b = issue({ subject: '/CN=b', extensions: caExtensions, issuer: a });
    const aByB: Certificate = { ...a.certificate, issuer: b.certificate.subject };
    expect(await verify(client({ issuer: b }).certificate, { intermediates: [b.certificate, aByB] })).toContain(
      UNKNOWN,
    );
  });
});

it('accepts what the CA of this package issues with that CA as its root', async () => {
  const { certificate } = await createCertificateAuthority({ commonName: 'ca', now });
  const [leaf] = readCertificates(certificate);
  if (leaf) expect(await verify(leaf, { roots: [leaf] })).toBe('ca');
});
