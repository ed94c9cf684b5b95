import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCertificateAuthority } from '../../src/pki/certificate-authority.js';
import { createTokenIssuer } from '../../src/tokens/account-tokens.js';
import { readToken } from '../../src/tokens/compact-token.js';
import { signDetached } from '../../src/tokens/detached-signature.js';
import { loadKeys, loadSigningKey, type TokenKey } from '../../src/tokens/token-key.js';
import { rsaKeys } from '../support/rsa-keys.js';
import { verifyToken } from './verify-token.js';

const rsa = rsaKeys();
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });
const pem = (key: KeyObject, type: 'pkcs1' | 'sec1' | 'pkcs8' | 'spki') =>
  key.export({ type, format: 'pem' } as never) as unknown as string;
const p256 = ec('P-256');
const KINDS = [
  { name: 'RSA', pair: rsa, old: 'pkcs1', alg: 'RS256' },
  { name: 'P-256', pair: p256, old: 'sec1', alg: 'ES256' },
  { name: 'P-384', pair: ec('P-384'), old: 'sec1', alg: 'ES384' },
  { name: 'P-521', pair: ec('P-521'), old: 'sec1', alg: 'ES512' },
] as const;

describe.each(KINDS)('$name keys', ({ pair, old, alg }) => {
  const expectedKid = async () => {
    const spki = pair.publicKey.export({ type: 'spki', format: 'der' });
    return Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(spki))).toString('base64url');
  };

  it('is the same key in every format', async () => {
    const forms = [pem(pair.privateKey, 'pkcs8'), pem(pair.privateKey, old), pem(pair.publicKey, 'spki')];
    if (old === 'pkcs1') forms.push(pem(pair.publicKey, 'pkcs1'));
    for (const form of forms) {
      const [key] = await loadKeys(form);
      expect(key).toMatchObject({ kid: await expectedKid(), algorithm: alg });
      expect(key?.publicJwk).not.toHaveProperty('d');
    }
  });

  it('sign tokens that only they verify', async () => {
    const issuer = createTokenIssuer({ issuer: 'https://issuer', key: pem(pair.privateKey, 'pkcs8') });
    const token = await issuer.sign({ sub: 'me', aud: ['a'] });
    expect(readToken(token)).toEqual({
      token,
      header: { alg, kid: await expectedKid() },
      claims: { aud: ['a'], iss: 'https://issuer', sub: 'me' },
    });
    expect(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).toBe(
      '{"aud":["a"],"iss":"https://issuer","sub":"me"}',
    );
    expect(await verifyToken(token, await loadKeys(pem(pair.publicKey, 'spki')))).toMatchObject({ sub: 'me' });
    const stranger = { ...(await loadSigningKey(pem(ec('P-256').privateKey, 'pkcs8'))), kid: await expectedKid() };
    await expect(verifyToken(token, [stranger])).rejects.toThrow('error in cryptographic primitive');
  });

  it('are published without secrets', async () => {
    const { keys } = await createTokenIssuer({ issuer: 'i', key: pem(pair.privateKey, old) }).jwks();
    expect(keys[0]).toMatchObject({ use: 'sig', alg, kid: await expectedKid() });
    expect(Object.keys(keys[0] ?? {})).toEqual(
      alg === 'RS256' ? ['use', 'kty', 'kid', 'alg', 'n', 'e'] : ['use', 'kty', 'kid', 'crv', 'alg', 'x', 'y'],
    );
  });
});

describe('key files', () => {
  it('may contain several keys and other blocks', async () => {
    const authority = await createCertificateAuthority({ commonName: 'ca' });
    const text = `words\n${pem(rsa.publicKey, 'spki')}${authority.certificate}-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n${pem(p256.privateKey, 'sec1')}`;
    expect((await loadKeys(text)).map((key) => [key.algorithm, key.signer !== undefined])).toEqual([
      ['RS256', false],
      ['ES256', false],
      ['ES256', true],
    ]);
  });

  it.each([
    ['an empty file', ''],
    ['an Ed25519 key', pem(generateKeyPairSync('ed25519').privateKey, 'pkcs8')],
    ['a broken block', '-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n'],
    ['a broken certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ])('without a key are refused: %s', async (_name, text) => {
    await expect(loadKeys(text)).rejects.toThrow('data does not contain any valid RSA or ECDSA public keys');
    await expect(loadSigningKey(text)).rejects.toThrow(TypeError);
  });

  it('with a public key cannot sign', async () => {
    await expect(loadSigningKey(pem(rsa.publicKey, 'spki'))).rejects.toThrow(TypeError);
  });
});

describe('the verification of tokens', () => {
  const issuer = createTokenIssuer({ issuer: 'https://issuer', key: pem(rsa.privateKey, 'pkcs8') });
  const keys = async (): Promise<readonly TokenKey[]> => await loadKeys(pem(rsa.publicKey, 'spki'));
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it('refuses changed parts', async () => {
    const [header, claims, signature] = (await issuer.sign({ sub: 'a' })).split('.');
    const kid = (await issuer.key()).kid;
    for (const changed of [
      `${header}.${part({ iss: 'https://issuer', sub: 'b' })}.${signature}`,
      `${header}.${claims}.`,
      `${header}.${claims}.${signature?.slice(0, -4)}AAAA`,
      `${part({ alg: 'none', kid })}.${claims}.`,
      `${part({ alg: 'HS256', kid })}.${claims}.${signature}`,
    ])
      await expect(verifyToken(changed, await keys())).rejects.toThrow(
        'square/go-jose: error in cryptographic primitive',
      );
  });

  it('never uses the public key as a shared secret', async () => {
    const { createHmac } = await import('node:crypto');
    const signed = `${part({ alg: 'HS256' })}.${part({ iss: 'https://issuer' })}`;
    for (const secret of [pem(rsa.publicKey, 'spki'), rsa.publicKey.export({ type: 'spki', format: 'der' })]) {
      const token = `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
      await expect(verifyToken(token, await keys())).rejects.toThrow('cryptographic primitive');
    }
  });

  it('selects the key by its id, and tries all without one', async () => {
    const other = await loadKeys(pem(p256.publicKey, 'spki'));
    const named = createTokenIssuer({ issuer: 'i', key: pem(rsa.privateKey, 'pkcs8'), kid: 'mine' });
    await expect(verifyToken(await named.sign({}), await keys())).rejects.toThrow('invalid signature, no keys found');
    const { CompactSign } = await import('jose');
    const nameless = await new CompactSign(new TextEncoder().encode('{"iss":"i"}'))
      .setProtectedHeader({ alg: 'RS256' })
      .sign(createPrivateKey(pem(rsa.privateKey, 'pkcs8')));
    expect(await verifyToken(nameless, [...other, ...(await keys())])).toEqual({ iss: 'i' });
  });

  it('accepts the longer hashes of an RSA key as well', async () => {
    const { CompactSign } = await import('jose');
    const kid = (await issuer.key()).kid;
    const token = await new CompactSign(new TextEncoder().encode('{"iss":"i"}'))
      .setProtectedHeader({ alg: 'RS512', kid })
      .sign(createPrivateKey(pem(rsa.privateKey, 'pkcs8')));
    expect(await verifyToken(token, await keys())).toEqual({ iss: 'i' });
  });

  it.each([
    '',
    'a.b',
    'a.b.c',
    '{"a":1}',
    `${part({})}.${part([])}.x`,
    `${part({})}.${part('x')}.x`,
    `${part({})}.AAAA.x`,
    'e30. e30.x',
    'e3 0.e30.x',
    'e30=.e30.x',
    'e30.e30=.x',
    'e30.e30.x.y',
  ])('refuses %j', (text) => expect(readToken(text)).toBeUndefined());

  it('keeps unusual claim names unchanged', () => {
    const token = readToken(`${part({})}.${Buffer.from('{"__proto__":{"x":1}}').toString('base64url')}.x`);
    expect(Object.keys(token?.claims ?? {})).toEqual(['__proto__']);
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

describe('detached signatures', () => {
  it('are HMACs over the header and the payload, and repeatable', async () => {
    const { createHmac } = await import('node:crypto');
    const signature = await signDetached('apiVersion: v1\n', 'abcdef', '0123456789abcdef');
    const header = Buffer.from('{"alg":"HS256","kid":"abcdef"}').toString('base64url');
    const input = `${header}.${Buffer.from('apiVersion: v1\n').toString('base64url')}`;
    expect(signature).toBe(`${header}..${createHmac('sha256', '0123456789abcdef').update(input).digest('base64url')}`);
    expect(await signDetached('apiVersion: v1\n', 'abcdef', '0123456789abcdef')).toBe(signature);
  });
});
