import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { extendedKeyUsageOid } from '../../src/pki/certificate.js';
import { createCertificateAuthority } from '../../src/pki/certificate-authority.js';
import { readCertificates } from '../../src/pki/certificate-reader.js';
import { certificateRequestProblem, requestSignatureProblem } from '../../src/pki/parse-request.js';
import { decodePem, encodePem } from '../../src/pki/pem.js';
import { readRequest } from '../../src/pki/request-reader.js';
import { certificateUsages, signRequest } from '../../src/pki/sign-request.js';
import { verifyChain } from '../../src/pki/verify-chain.js';
import { requestableUsages } from '../../src/resources/certificates/certificate-signing-request-schema.js';
import { propertyRuns } from '../support/property-runs.js';
import { runPrograms } from '../support/run-program.js';
import { makeRequest } from './make-request.js';
import { hasOpenssl, keyKinds, newKey } from './openssl.js';

const LABEL = 'CERTIFICATE REQUEST';
const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-21T12:00:00Z');
const encode = (bytes: Uint8Array) => encodePem(LABEL, bytes);
const bytesOf = (pem: string) => decodePem(pem)[0]?.bytes ?? new Uint8Array();

describe('a certificate request', () => {
  it('has a subject and names', async () => {
    const names = {
      dns: ['a.example'],
      email: ['e@example.com'],
      uri: ['spiffe://x/y'],
      ip: [new Uint8Array([10, 1, 2, 3])],
    };
    const { pem } = await makeRequest({ commonName: 'erik', organizations: ['a', 'b'], names });
    const { subject, subjectAltNames } = readRequest(pem);
    expect(subject).toMatchObject({ commonName: 'erik', organizations: ['a', 'b'] });
    expect(subjectAltNames).toEqual(names);
    expect(await certificateRequestProblem(pem)).toBeUndefined();
  });
  it('is found in the first block, whatever surrounds it', async () => {
    const { pem } = await makeRequest();
    expect(await certificateRequestProblem(`text\n${pem}text`)).toBeUndefined();
    expect(await certificateRequestProblem(pem.replaceAll('\n', '\r\n'))).toBeUndefined();
    expect(await certificateRequestProblem(pem.replace('-----\n', '-----\nKey: value\n\n'))).toBeUndefined();
    expect(await certificateRequestProblem(`-----BEGIN ${LABEL}-----\n${pem}`)).toBeUndefined();
    expect(await certificateRequestProblem(encodePem('X', new Uint8Array(3)) + pem)).toBe(
      `PEM block type must be ${LABEL}`,
    );
    expect(await certificateRequestProblem(pem.replaceAll(LABEL, `NEW ${LABEL}`))).toBe(
      `PEM block type must be ${LABEL}`,
    );
  });
  it.each([
    ['no bytes', [], 'asn1: syntax error: sequence truncated'],
    ['one byte', [0x30], 'asn1: syntax error: truncated tag or length'],
    [
      'another tag',
      [0, 0, 0],
      "asn1: structure error: tags don't match (16 vs {class:0 tag:0 length:0 isCompound:false})",
    ],
    ['fewer bytes than its length', [0x30, 5, 0], 'asn1: syntax error: data truncated'],
    ['more bytes than its length', [0x30, 0, 0], 'asn1: syntax error: trailing data'],
    ['an empty sequence', [0x30, 0], 'asn1: structure error: '],
  ])('of %s is refused', async (_name, bytes, why) => {
    expect(await certificateRequestProblem(encode(new Uint8Array(bytes)))).toContain(why);
  });
  it('is refused if any byte of it was changed', async () => {
    const der = bytesOf((await makeRequest()).pem);
    await fc.assert(
      fc.asyncProperty(fc.nat(der.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = Uint8Array.from(der);
        changed[at] = (changed[at] ?? 0) ^ change;
        expect(await certificateRequestProblem(encode(changed))).toBeTypeOf('string');
      }),
      { numRuns: propertyRuns(150) },
    );
  });
  it('throws only the documented errors, whatever its bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expect(await certificateRequestProblem(encode(bytes))).toBeTypeOf('string');
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});

describe.skipIf(!hasOpenssl)('requests of openssl (skipped where there is none)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'csr-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const openssl = (...args: string[]) => runPrograms(['openssl', ...args]);
  function make(name: string, kind: (typeof keyKinds)[number], digest = 'sha256'): string {
    const [keyFile, out] = [join(folder, `${name}.key`), join(folder, `${name}.csr`)];
    writeFileSync(keyFile, newKey(kind));
    openssl(
      'req',
      '-new',
      '-key',
      keyFile,
      `-${digest}`,
      '-subj',
      '/O=team/CN=me',
      '-addext',
      'subjectAltName=DNS:a.b,IP:::1',
      '-out',
      out,
    );
    return readFileSync(out, 'utf8');
  }
  it.each(keyKinds)('%s: is verified, but not if another key signed it', async (kind) => {
    const request = readRequest(make(kind, kind));
    expect(await requestSignatureProblem(request)).toBeUndefined();
    expect(request.subjectAltNames).toMatchObject({ dns: ['a.b'] });
    const other = readRequest(make(`${kind}-other`, kind));
    expect(await requestSignatureProblem({ ...request, publicKey: other.publicKey })).toMatch(
      /verification (failure|error)/,
    );
  });
  it.each(['sha1', 'sha384', 'sha512'])('RSA with %s', async (digest) => {
    expect(await certificateRequestProblem(make(`rsa-${digest}`, 'rsa', digest))).toBeUndefined();
  });
  it('results in a certificate that openssl accepts and prints as requested', async () => {
    const authority = await createCertificateAuthority({ commonName: 'ca', now: NOW });
    const pem = await signRequest(authority, readRequest(make('shown', 'p256')), {
      usages: ['client auth', 'key encipherment', 'digital signature'],
      lifetime: HOUR,
      now: NOW,
    });
    const [file, ca] = [join(folder, 'issued.pem'), join(folder, 'ca.pem')];
    writeFileSync(file, pem);
    writeFileSync(ca, authority.certificate);
    const at = String(NOW / 1000);
    expect(openssl('verify', '-attime', at, '-purpose', 'sslclient', '-CAfile', ca, file)).toContain('OK');
    const shown = openssl('x509', '-in', file, '-noout', '-text');
    for (const text of [
      'O = team, CN = me|O=team, CN=me',
      'Digital Signature, Key Encipherment',
      'TLS Web Client Authentication',
      'CA:FALSE',
      'DNS:a.b, IP Address:0:0:0:0:0:0:0:1',
    ])
      expect(shown).toMatch(new RegExp(text));
  });
});

describe('signing a request', async () => {
  const authority = await createCertificateAuthority({ commonName: 'ca', now: NOW, days: 30 });
  const request = readRequest(
    (await makeRequest({ commonName: 'me', organizations: ['o'], names: { dns: ['d.e'] } })).pem,
  );
  const issue = async (lifetime: number, now = NOW) => {
    const [certificate] = readCertificates(
      await signRequest(authority, request, { usages: ['client auth'], lifetime, now }),
    );
    if (!certificate) throw new Error('no certificate');
    return certificate;
  };
  it.each([
    ['half an hour', HOUR / 2, 35 * 60_000],
    ['just under eight hours', 8 * HOUR - 1000, 8 * HOUR - 1000 + 300_000],
    ['eight hours', 8 * HOUR, 8 * HOUR],
    ['twenty hours', 20 * HOUR, 20 * HOUR],
  ])('for %s', async (_name, lifetime, wanted) => {
    const { notBefore, notAfter } = await issue(lifetime);
    expect(notBefore).toBe(NOW - 300_000);
    expect(notAfter - notBefore).toBe(wanted);
  });
  it('never outlives the CA, and fails if the CA has expired', async () => {
    const [ca] = readCertificates(authority.certificate);
    expect((await issue(1000 * 24 * HOUR)).notAfter).toBe(ca?.notAfter);
    await expect(issue(HOUR, (ca?.notAfter ?? 0) + 300_000)).rejects.toThrow('the signer has expired: NotAfter=');
  });
  it('issues certificates that authenticate clients', async () => {
    const [ca] = readCertificates(authority.certificate);
    const certificate = await issue(HOUR);
    if (!ca) throw new Error('no authority');
    expect(certificate).toMatchObject({
      basicConstraints: { ca: false },
      extendedKeyUsage: [extendedKeyUsageOid.clientAuth],
      subject: { commonName: 'me' },
    });
    expect(await verifyChain({ leaf: certificate, intermediates: [], roots: [ca], now: NOW })).toMatchObject({
      ok: true,
    });
  });
  it('refuses a request whose signature is invalid', async () => {
    const other = readRequest((await makeRequest()).pem);
    const stolen = { ...other, publicKey: request.publicKey };
    const options = { usages: ['client auth'], lifetime: HOUR, now: NOW };
    await expect(signRequest(authority, stolen, options)).rejects.toThrow('x509: ECDSA verification failure');
  });
  it('supports every usage that can be requested, and no other', () => {
    for (const usage of requestableUsages) {
      const { keyUsage, extendedKeyUsage } = certificateUsages([usage]);
      expect(keyUsage.length + extendedKeyUsage.length).toBe(1);
    }
    expect(certificateUsages(['s/mime', 'email protection', 'client auth', 'any']).extendedKeyUsage).toEqual([
      '2.5.29.37.0',
      extendedKeyUsageOid.clientAuth,
      '1.3.6.1.5.5.7.3.4',
    ]);
    expect(() => certificateUsages(['constructor'])).toThrow('unrecognized usage: constructor');
  });
});
