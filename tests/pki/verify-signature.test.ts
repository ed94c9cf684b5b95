import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCertificateAuthority, issueCertificate } from '../../src/pki/certificate-authority.js';
import { parseCertificates } from '../../src/pki/parse-certificate.js';
import { certificateRequestProblem } from '../../src/pki/parse-request.js';
import { importPrivateKey } from '../../src/pki/private-key.js';
import { verifyChain } from '../../src/pki/verify-chain.js';
import { keySignatureProblem } from '../../src/pki/verify-signature.js';
import type { TokenRequest } from '../../src/resources/authentication/authentication-v1.types.js';
import { serviceAccount } from '../../src/resources/core/index.js';
import { implementations } from '../meta/implementations.js';
import { whoIs } from '../support/ask.js';
import { rsaKeys } from '../support/rsa-keys.js';
import { startServer } from '../support/servers.js';
import { makeRequest } from './make-request.js';

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}
const kinds: readonly (readonly [string, Pair, string])[] = [
  ['RSA', rsaKeys(), 'crypto/rsa: verification error'],
  ...['P-256', 'P-384', 'P-521'].map(
    (namedCurve) =>
      [namedCurve, generateKeyPairSync('ec', { namedCurve }), 'x509: ECDSA verification failure'] as const,
  ),
  ['Ed25519', generateKeyPairSync('ed25519'), 'x509: Ed25519 verification failure'],
];

describe.each(implementations)('signatures of certificates by $name', ({ signatures }) => {
  it.each(kinds)('%s', async (_, { publicKey, privateKey }, failure) => {
    const key = await importPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, signatures); // PEM is text
    const holder = { publicKey: new Uint8Array(publicKey.export({ type: 'spki', format: 'der' })) };
    const tbs = new TextEncoder().encode('a certificate');
    const signed = { tbs, signatureAlgorithm: key.algorithm, signature: await key.sign(tbs) };
    for (const other of implementations) {
      const problem = (changed: object) =>
        keySignatureProblem({ ...signed, ...changed }, holder, { signatures: other.signatures });
      expect(await problem({})).toBeUndefined();
      expect(await problem({ tbs: tbs.subarray(1) })).toBe(failure);
      expect(await problem({ signature: new Uint8Array() })).toBeDefined();
    }
  });
  it('verify chains and requests', async () => {
    const authority = await createCertificateAuthority({ commonName: 'ca', signatures });
    const issued = await issueCertificate(authority, { commonName: 'jane', usages: ['clientAuth'], signatures });
    const [leaf] = await parseCertificates(issued.certificate);
    const roots = await parseCertificates(authority.certificate);
    expect(leaf && (await verifyChain({ leaf, intermediates: [], roots, now: Date.now(), signatures }))).toMatchObject({
      ok: true,
    });
    expect(await certificateRequestProblem((await makeRequest()).pem, signatures)).toBeUndefined();
  });
  it('verify the connections of a server', async () => {
    const server = await startServer({ dialect: 'k8s', signatures });
    const { status } = await server
      .client()
      .createSubresource<TokenRequest>(serviceAccount, 'default', 'token', { spec: {} } as object, {
        namespace: 'default',
      });
    const who = (token: string) => whoIs(server, { headers: { authorization: `Bearer ${token}` } });
    const [header, claims, signature = ''] = status.token.split('.');
    expect(await who(status.token)).toBe('system:serviceaccount:default:default');
    expect(await who(`${header}.${claims}.${[...signature].reverse().join('')}`)).toBe(401);
    await server.close();
  });
});
