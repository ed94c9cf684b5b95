import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect } from 'vitest';
import type { Curve, Hash, SignatureScheme, Signatures } from '../../src/signatures/signatures.js';
import { implementations } from '../meta/implementations.js';
import { rsaKeys } from '../support/rsa-keys.js';

export interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}
const rsa = (modulusLength: number): Pair => generateKeyPairSync('rsa', { modulusLength });
const ec = (namedCurve: string): Pair => generateKeyPairSync('ec', { namedCurve });
export const pairs = {
  rsa1024: rsa(1024),
  rsa2048: rsaKeys(),
  'P-256': ec('P-256'),
  'P-384': ec('P-384'),
  'P-521': ec('P-521'),
  ed25519: generateKeyPairSync('ed25519'),
};
export const spki = ({ publicKey }: Pair) => new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }));
export const pkcs8 = ({ privateKey }: Pair) => new Uint8Array(privateKey.export({ type: 'pkcs8', format: 'der' }));
export const data = new TextEncoder().encode('what is signed');
export const ecdsa = (curve: Curve, hash: Hash): SignatureScheme => ({ name: 'ECDSA', curve, hash });

export const schemes: readonly (readonly [string, Pair, SignatureScheme])[] = [
  ...(['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'] as const).flatMap((hash) => [
    [`RSA ${hash}`, pairs.rsa2048, { name: 'RSA', hash }] as const,
    [`RSA-PSS ${hash}`, pairs.rsa2048, { name: 'RSA-PSS', hash }] as const,
    [`short RSA ${hash}`, pairs.rsa1024, { name: 'RSA', hash }] as const,
    ...(['P-256', 'P-384', 'P-521'] as const).map(
      (curve) => [`${curve} ${hash}`, pairs[curve], ecdsa(curve, hash)] as const,
    ),
  ]),
  ['Ed25519', pairs.ed25519, { name: 'Ed25519' }],
];
const verdict = async (signatures: Signatures, ...[scheme, key, signature, text]: Parameters<Signatures['verify']>) => {
  try {
    return await signatures.verify(scheme, key, signature, text);
  } catch (error) {
    return (error as Error).message;
  }
};
/** What all say. */
export async function verdicts(...question: Parameters<Signatures['verify']>): Promise<unknown> {
  const found = await Promise.all(implementations.map(({ signatures }) => verdict(signatures, ...question)));
  expect(new Set(found).size, JSON.stringify(found)).toBe(1);
  return found[0];
}
