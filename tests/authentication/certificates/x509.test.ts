import { beforeAll, describe, expect, it } from 'vitest';
import type { Authenticator, Credentials } from '../../../src/authentication/authenticator.js';
import { x509 } from '../../../src/authentication/certificates/x509.js';
import { headersOf } from '../../../src/meta/request-headers.js';
import { noMetrics } from '../../../src/metrics/metrics.js';
import { createCertificateAuthority, issueCertificate, type KeyPair } from '../../../src/pki/certificate-authority.js';
import { readCertificates } from '../../../src/pki/certificate-reader.js';
import { runAuthenticatorContract } from '../../../src/testing/authenticator-contract.js';
import { fakeHost } from '../../support/hosts.js';
import { hasSharedData, readShared, readSharedText } from '../../support/shared-data.js';

const NOW = '2026-11-21T12:00:00Z';
const now = Date.parse(NOW);
const ders = (pem: string) => readCertificates(pem).map((c) => c.raw);
const with509 = (...pems: string[]): Credentials => ({ headers: headersOf(), peerCertificates: pems.flatMap(ders) });

let ca: KeyPair;
let stranger: KeyPair;
let jane: string;
let forged: string;
let server: string;
beforeAll(async () => {
  ca = await createCertificateAuthority({ commonName: 'ca', now });
  stranger = await createCertificateAuthority({ commonName: 'ca', now });
  const issue = async (by: KeyPair, usage: 'clientAuth' | 'serverAuth') =>
    (await issueCertificate(by, { commonName: 'jane', organizations: ['b', 'a', 'b'], usages: [usage], now, days: 1 }))
      .certificate;
  jane = await issue(ca, 'clientAuth');
  forged = await issue(stranger, 'clientAuth');
  server = await issue(ca, 'serverAuth');
});
const outcome = async (authenticator: Authenticator, credentials: Credentials) => {
  const result = await authenticator.authenticate(credentials);
  return result.outcome === 'rejected' ? result.error.message : result.outcome;
};

describe('x509', () => {
  it('takes the user from the common name and the groups from the organizations, in order', async () => {
    expect(await x509({ clientCA: ca.certificate })(fakeHost()).authenticate(with509(jane))).toEqual({
      outcome: 'authenticated',
      user: { username: 'jane', groups: ['b', 'a', 'b'] },
      authenticator: 'x509',
    });
  });

  it('observes the remaining validity of certificates, whoever issued them', async () => {
    const observed: number[] = [];
    const series = () => ({ add: () => {}, observe: (value: number) => void observed.push(value) });
    const authenticator = x509({ clientCA: ca.certificate })({ ...fakeHost(NOW), metrics: { ...noMetrics, series } });
    for (const credentials of [with509(jane), with509(forged), with509(server), { headers: headersOf() }])
      await authenticator.authenticate(credentials);
    expect(observed).toEqual([86_400, 86_400, 86_400]);
  });

  it('gives all connections of a client the same user object, but verifies each connection', async () => {
    const authenticator = x509({ clientCA: ca.certificate })(fakeHost(NOW));
    const first = await authenticator.authenticate(with509(jane));
    expect(await authenticator.authenticate(with509(jane))).toBe(first);
    expect(await outcome(authenticator, with509(forged))).toContain('signed by unknown authority');
  });

  it('verifies once per connection, and reuses the result until the certificate expires', async () => {
    const host = fakeHost(NOW);
    const authenticator = x509({ clientCA: ca.certificate })(host);
    const connection = with509(jane);
    const first = await authenticator.authenticate(connection);
    expect(authenticator.authenticate(connection)).toBe(first);
    host.clock.advance(86_400_000);
    expect(authenticator.authenticate(connection)).toBe(first);
    host.clock.advance(1000);
    expect(await outcome(authenticator, connection)).toContain(
      'x509: certificate has expired or is not yet valid: current time 2026-11-22T12:00:01Z is after 2026-11-22T12:00:00Z',
    );
    host.clock.set('2026-11-21T11:00:00Z');
    expect(await outcome(authenticator, connection)).toContain('is before');
    host.clock.set(NOW);
    expect(await outcome(authenticator, connection)).toBe('authenticated');
  });

  it('does not verify an invalid chain again on the same connection until a certificate becomes valid or expires', async () => {
    const host = fakeHost(NOW);
    const authenticator = x509({ clientCA: ca.certificate })(host);
    const connection = with509(forged);
    const first = await authenticator.authenticate(connection);
    expect(authenticator.authenticate(connection)).toBe(first);
    host.clock.advance(82_800_000);
    expect(authenticator.authenticate(connection)).toBe(first);
    host.clock.advance(3_600_001);
    expect(await outcome(authenticator, connection)).toContain('x509: certificate has expired');
  });

  it('names the certificate that it refuses', async () => {
    const authenticator = x509({ clientCA: ca.certificate })(fakeHost());
    const [leaf] = readCertificates(forged);
    expect(await outcome(authenticator, with509(forged))).toMatch(
      new RegExp(
        `^verifying certificate SN=${leaf?.serial}, SKID=([0-9A-F]{2}:){19}[0-9A-F]{2}, AKID=([0-9A-F]{2}:){19}[0-9A-F]{2} failed: x509: certificate signed by unknown authority`,
      ),
    );
    expect(await outcome(authenticator, with509(server))).toContain(
      'x509: certificate specifies an incompatible key usage',
    );
  });

  it('has no opinion about a certificate without a common name', async () => {
    const { certificate } = await issueCertificate(ca, {
      commonName: '',
      organizations: ['system:masters'],
      usages: ['clientAuth'],
      now,
    });
    expect(await outcome(x509({ clientCA: ca.certificate })(fakeHost()), with509(certificate))).toBe('skipped');
  });

  it('trusts several authorities', async () => {
    for (const clientCA of [[stranger.certificate, ca.certificate], `${stranger.certificate}\n${ca.certificate}`])
      expect(await outcome(x509({ clientCA })(fakeHost()), with509(jane))).toBe('authenticated');
  });

  it('follows changes of a CA bundle on open connections, and keeps the old bundle if the new one is broken', async () => {
    let bundle = ca.certificate;
    const host = fakeHost();
    const authenticator = x509({ clientCA: () => bundle })(host);
    const connection = with509(jane);
    expect(await outcome(authenticator, connection)).toBe('authenticated');
    bundle = 'nothing';
    expect(await outcome(authenticator, connection)).toBe('authenticated');
    expect(host.lines).toHaveLength(1);
    bundle = stranger.certificate;
    expect(await outcome(authenticator, connection)).toContain('unknown authority');
  });

  it('refuses a bundle without certificates', () => {
    expect(() => x509({ clientCA: '' })(fakeHost())).toThrow('missing content for CA bundle "client-ca"');
  });
});

runAuthenticatorContract('x509', () => ({
  authenticator: x509({ clientCA: ca.certificate })(fakeHost()),
  good: with509(jane),
  user: { username: 'jane', groups: ['b', 'a', 'b'] },
  bad: {
    'by another authority': with509(forged),
    'for servers': with509(server),
    'self-signed': with509(stranger.certificate),
    'not a certificate': { headers: headersOf(), peerCertificates: [new Uint8Array([0x30, 0])] },
    'a broken intermediate': { headers: headersOf(), peerCertificates: [...ders(jane), new Uint8Array([1])] },
  },
}));

interface Case {
  Insecure?: boolean;
  Certs?: { pem?: string[]; pemFiles?: string[] };
  Opts?: { Roots?: { roots?: string | string[] }; CurrentTime?: { args: unknown[]; $call: string } };
  ExpectUserName?: string;
  ExpectGroups?: string[];
  ExpectOK?: boolean;
  ExpectErr: boolean;
}
describe.skipIf(!hasSharedData)('shared cases (skipped where the data is absent)', () => {
  const tables = readShared('data/k8s-tables/auth-x509.json')?.tables ?? [];
  const cases: Record<string, Case> = tables[0]?.cases ?? {};
  const file = (name: string) => readSharedText(`data/auth-x509/pem/${name}.pem`);
  // The root certificate of the table is not part of the data. The tests above cover the cases that need it.
  const usable = Object.entries(cases).filter(
    ([name, c]) => c.Certs?.pemFiles || name === 'ca with multiple organizations' || name === 'self signed',
  );
  it.each(usable)('%s', async (_, { Certs, Opts, ExpectUserName, ExpectGroups, ExpectOK }) => {
    const pems = Certs?.pem ?? Certs?.pemFiles?.map(file) ?? [];
    const roots = Array.isArray(Opts?.Roots?.roots) ? Opts.Roots.roots.join('\n') : file('root');
    const result = await x509({ clientCA: roots })(fakeHost()).authenticate(with509(...pems));
    expect(result.outcome).toBe(ExpectOK ? 'authenticated' : 'rejected');
    if (result.outcome === 'authenticated')
      expect(result.user).toMatchObject({
        username: ExpectUserName,
        ...(ExpectGroups ? { groups: ExpectGroups } : {}),
      });
  });
});
