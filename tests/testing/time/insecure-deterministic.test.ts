import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { certificateSigningRequest, customResourceDefinition } from '../../../src/exports/kinds.js';
import { configMap, namespace, secret, serviceAccount } from '../../../src/index.js';
import { generateKey } from '../../../src/pki/private-key.js';
import type { Curve, Hash } from '../../../src/signatures/signatures.js';
import { systemSignatures } from '../../../src/signatures/system-signatures.js';
import { advance, insecureDeterministic, insecureDeterministicSignatures } from '../../../src/testing/index.js';
import { makeRequest } from '../../pki/make-request.js';
import { definitionOf } from '../../support/definitions.js';
import { startServer } from '../../support/servers.js';

const where = { namespace: 'default' };
const admin = { username: 'admin', groups: ['system:masters'] };
const shops = definitionOf('shops', 'Shop', { group: 'test.example.com' });

/** Runs a server once, and returns everything that it puts out: responses, events, keys, certificates, tokens and stored objects. */
async function life(seed: number, request: string) {
  const said: unknown[] = [];
  await using server = await startServer({
    dialect: 'k8s',
    ...insecureDeterministic({ seed, start: '2030-01-01T00:00:00Z' }),
  });
  const client = server.client();
  const watch = await client.watch(configMap, {}).opened();
  const followed = (async () => {
    for await (const event of watch) said.push(event);
  })();
  await client.create(namespace, { metadata: { name: 'shop' } });
  await client.create(serviceAccount, { metadata: { name: 'robot' } }, where);
  const annotations = { 'kubernetes.io/service-account.name': 'robot' };
  const type = 'kubernetes.io/service-account-token';
  await client.create(secret, { metadata: { generateName: 'token-', annotations }, type }, where);
  await client.create(customResourceDefinition, shops);
  await server.settle();
  const token = new Request('http://localhost/api/v1/namespaces/default/serviceaccounts/robot/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"spec":{"expirationSeconds":3600}}',
  });
  const answered = await server.fetch(token, { user: admin });
  expect(answered.status).toBe(201);
  said.push(await answered.text());
  const spec = { request: btoa(request), signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };
  await client.create(certificateSigningRequest, { metadata: { name: 'dana' }, spec, status: {} });
  const conditions = [{ type: 'Approved', status: 'True', lastUpdateTime: null, lastTransitionTime: null }] as const;
  await client.update(certificateSigningRequest, 'dana', (draft) => void (draft.status.conditions = [...conditions]), {
    subresource: 'approval',
  });
  await advance(server, 600_000);
  const signed = await client.get(certificateSigningRequest, 'dana');
  expect(signed.status.certificate).toBeDefined();
  await client.delete(namespace, 'shop');
  await advance(server, 60_000);
  said.push(await server.certificateAuthority(), await server.issueClientCertificate({ username: 'jane' }));
  await using fork = server.fork();
  await fork.client().create(configMap, { metadata: { generateName: 'in-a-fork-' } }, where);
  await fork.settle();
  said.push(await fork.issueClientCertificate({ username: 'jane' }), await fork.save());
  said.push(await server.save(), String(server.pending()));
  watch.close();
  await followed;
  return JSON.stringify(said);
}

it('produces the same bytes for the same calls, and other bytes for another seed', async () => {
  const { pem } = await makeRequest({ commonName: 'dana' });
  // The first run also loads modules, which are already loaded in the second.
  const first = await life(1, pem);
  expect(await life(1, pem)).toBe(first);
  expect(await life(2, pem)).not.toBe(first);
});

it('signs as the example of RFC 6979, A.2.5', async () => {
  const d = Buffer.from('C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721', 'hex');
  const x = Buffer.from('60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6', 'hex');
  const y = Buffer.from('7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299', 'hex');
  const { createPrivateKey } = await import('node:crypto');
  const text = (bytes: Buffer) => bytes.toString('base64url');
  const key = createPrivateKey({ key: { kty: 'EC', crv: 'P-256', d: text(d), x: text(x), y: text(y) }, format: 'jwk' });
  const pkcs8 = new Uint8Array(key.export({ type: 'pkcs8', format: 'der' }));
  const scheme = { name: 'ECDSA', curve: 'P-256', hash: 'SHA-256' } as const;
  const signer = await insecureDeterministicSignatures(1).signer(scheme, pkcs8);
  const signature = Buffer.from(await signer.sign(new TextEncoder().encode('sample'))).toString('hex');
  expect(signature).toBe(
    'efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8',
  );
});

it.each<[Curve, Hash]>([
  ['P-256', 'SHA-256'],
  ['P-256', 'SHA-512'],
  ['P-384', 'SHA-384'],
  ['P-521', 'SHA-512'],
  ['P-521', 'SHA-256'],
])('signs with %s and %s, and others verify the signature', async (curve, hash) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: curve });
  const pkcs8 = new Uint8Array(privateKey.export({ type: 'pkcs8', format: 'der' }));
  const spki = new Uint8Array(createPublicKey(privateKey).export({ type: 'spki', format: 'der' }));
  const scheme = { name: 'ECDSA', curve, hash } as const;
  const signer = await insecureDeterministicSignatures(1).signer(scheme, pkcs8);
  for (const text of ['', 'sample', 'x'.repeat(1000)]) {
    const data = new TextEncoder().encode(text);
    const signature = await signer.sign(data);
    expect(await systemSignatures.verify(scheme, spki, signature, data)).toBe(true);
    expect(await signer.sign(data)).toEqual(signature);
  }
});

it('creates a key for each purpose, whatever was requested before', async () => {
  const one = insecureDeterministicSignatures(1);
  await one.generateKey?.('something else');
  const key = await generateKey(one, 'tokens');
  expect((await generateKey(insecureDeterministicSignatures(1), 'tokens')).pem).toBe(key.pem);
  expect((await generateKey(one, 'other tokens')).pem).not.toBe(key.pem);
  expect((await generateKey(insecureDeterministicSignatures(2), 'tokens')).pem).not.toBe(key.pem);
});

it('refuses a key that does not fit, and a seed that is not a number', async () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pkcs8 = new Uint8Array(privateKey.export({ type: 'pkcs8', format: 'der' }));
  const scheme = { name: 'ECDSA', curve: 'P-256', hash: 'SHA-256' } as const;
  await expect((async () => insecureDeterministicSignatures(1).signer(scheme, pkcs8))()).rejects.toThrow(TypeError);
  expect(() => insecureDeterministic({ seed: 'one' as never })).toThrow(TypeError);
});
