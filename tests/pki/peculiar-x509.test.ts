import 'reflect-metadata';
import * as peculiar from '@peculiar/x509';
import { describe, expect, it } from 'vitest';
import { createCertificateAuthority, issueCertificate } from '../../src/pki/certificate-authority.js';
import { readCertificates } from '../../src/pki/certificate-reader.js';
import { requestSignatureProblem } from '../../src/pki/parse-request.js';
import { readRequest } from '../../src/pki/request-reader.js';
import { signRequest } from '../../src/pki/sign-request.js';
import { verifyChain } from '../../src/pki/verify-chain.js';
import { formatIp } from '../../src/values/ip-address.js';
import { makeRequest } from './make-request.js';

/* Compares with @peculiar/x509: it reads and verifies what this package creates, and the reverse. */
const NOW = Date.parse('2026-11-21T12:00:00Z');
const DAY = 86_400_000;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const NAMES: readonly peculiar.JsonGeneralName[] = [
  { type: 'dns', value: 'a.example' },
  { type: 'email', value: 'me@example.org' },
  { type: 'ip', value: '10.1.2.3' },
  { type: 'ip', value: '2001:db8::1' },
  { type: 'url', value: 'spiffe://a.example/b' },
];
const only = <T>([first]: readonly T[]): T => {
  if (first === undefined) throw new Error('none');
  return first;
};

describe('certificates and requests of this package', () => {
  it('are parsed and verified by @peculiar/x509', async () => {
    const authority = await createCertificateAuthority({ commonName: 'ca', now: NOW });
    const issued = await issueCertificate(authority, {
      commonName: 'Zoë',
      organizations: ['b', 'a'],
      dnsNames: ['a.example'],
      ipAddresses: ['10.1.2.3', '2001:db8::1', '::', '::ffff:1.2.3.4'],
      usages: ['clientAuth', 'serverAuth'],
      now: NOW,
      days: 1,
    });
    const [ca, leaf] = [authority, issued].map(({ certificate }) => new peculiar.X509Certificate(certificate));
    if (!ca || !leaf) throw new Error('none');
    expect(leaf.subject).toBe('O=b, O=a, CN=Zoë');
    expect([leaf.notBefore.getTime(), leaf.notAfter.getTime()]).toEqual([NOW - 300_000, NOW + DAY]);
    expect(leaf.getExtension(peculiar.BasicConstraintsExtension)).toMatchObject({ ca: false, critical: true });
    expect(leaf.getExtension(peculiar.ExtendedKeyUsageExtension)?.usages).toEqual([
      '1.3.6.1.5.5.7.3.2',
      '1.3.6.1.5.5.7.3.1',
    ]);
    expect(leaf.getExtension(peculiar.KeyUsagesExtension)?.usages).toBe(
      peculiar.KeyUsageFlags.digitalSignature | peculiar.KeyUsageFlags.keyEncipherment,
    );
    expect(only(readCertificates(issued.certificate)).subjectAltNames?.ip.map(formatIp)).toEqual([
      '10.1.2.3',
      '2001:db8::1',
      '::',
      '::ffff:102:304',
    ]);
    expect(await leaf.verify({ publicKey: ca, date: new Date(NOW) })).toBe(true);
    expect(await ca.isSelfSigned()).toBe(true);
  });

  it('keep every name of a request', async () => {
    const authority = await createCertificateAuthority({ commonName: 'ca', now: NOW });
    const ip = [Uint8Array.of(10, 1, 2, 3), new Uint8Array(16).fill(1)];
    const names = { dns: ['a.example'], email: ['me@example.org'], uri: ['spiffe://a.example/b'], ip };
    const request = readRequest((await makeRequest({ commonName: 'me', names })).pem);
    const pem = await signRequest(authority, request, { usages: ['client auth'], lifetime: DAY, now: NOW });
    expect(only(readCertificates(pem)).subjectAltNames).toEqual(names);
    const theirs = new peculiar.X509Certificate(pem).getExtension(peculiar.SubjectAlternativeNameExtension);
    expect(theirs?.names.toJSON().map(({ type }) => type)).toEqual(['dns', 'email', 'ip', 'ip', 'url']);
  });
});

describe('certificates and requests of @peculiar/x509', () => {
  it('are parsed and verified here: a chain', async () => {
    const [caKeys, keys] = await Promise.all([generate(), generate()]);
    const validity = { notBefore: new Date(NOW - DAY), notAfter: new Date(NOW + DAY), signingAlgorithm: ALGORITHM };
    const ca = await peculiar.X509CertificateGenerator.createSelfSigned({
      serialNumber: '01',
      name: 'CN=ca',
      keys: caKeys,
      ...validity,
      extensions: [new peculiar.BasicConstraintsExtension(true, 2, true)],
    });
    const leaf = await peculiar.X509CertificateGenerator.create({
      serialNumber: '02',
      subject: 'O=b, O=a, CN=jane',
      issuer: ca.subject,
      publicKey: keys.publicKey,
      signingKey: caKeys.privateKey,
      ...validity,
      extensions: [
        new peculiar.ExtendedKeyUsageExtension([peculiar.ExtendedKeyUsage.clientAuth]),
        new peculiar.SubjectAlternativeNameExtension([...NAMES]),
      ],
    });
    const [root, mine] = [ca, leaf].map((each) => only(readCertificates(each.toString('pem'))));
    if (!root || !mine) throw new Error('none');
    expect(root.basicConstraints).toEqual({ ca: true, pathLength: 2 });
    expect(mine).toMatchObject({ serial: 2n, subject: { commonName: 'jane', organizations: ['b', 'a'] } });
    expect(mine.subjectAltNames).toMatchObject({ dns: ['a.example'], email: ['me@example.org'] });
    expect(await verifyChain({ leaf: mine, intermediates: [], roots: [root], now: NOW })).toMatchObject({
      ok: true,
    });
  });

  it('are parsed and verified here: a request', async () => {
    const request = await peculiar.Pkcs10CertificateRequestGenerator.create({
      name: 'O=team, CN=me',
      keys: await generate(),
      signingAlgorithm: ALGORITHM,
      extensions: [new peculiar.SubjectAlternativeNameExtension([...NAMES])],
    });
    const mine = readRequest(request.toString('pem'));
    expect(mine.subject).toMatchObject({ commonName: 'me', organizations: ['team'] });
    expect(mine.subjectAltNames).toMatchObject({ dns: ['a.example'], uri: ['spiffe://a.example/b'] });
    expect(await requestSignatureProblem(mine)).toBeUndefined();
  });
});

const generate = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
