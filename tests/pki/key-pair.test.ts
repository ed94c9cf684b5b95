import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bitString, integer, octetString, oid, sequence, tagged } from '../../src/pki/der/writer.js';
import { keyPairProblem } from '../../src/pki/key-pair.js';
import { encodePem } from '../../src/pki/pem.js';
import { rsaKeys } from '../support/rsa-keys.js';

/* Errors for a certificate and a key that do not match, with the messages of Go's TLS. */
const pem = (key: KeyObject, type: 'pkcs1' | 'pkcs8' | 'sec1' = 'pkcs8') => String(key.export({ format: 'pem', type }));
const ec = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed = () => generateKeyPairSync('ed25519');

/** A certificate with only the fields that are needed to compare its key. */
function certificate({ publicKey }: { readonly publicKey: KeyObject }, version = true): string {
  const info = publicKey.export({ format: 'der', type: 'spki' });
  const none = sequence();
  const fields = [integer(new Uint8Array([1])), none, none, none, none, Uint8Array.from(info)];
  const signed = sequence(...(version ? [tagged(0, integer(new Uint8Array([2])))] : []), ...fields);
  return encodePem('CERTIFICATE', sequence(signed, none, bitString(new Uint8Array([1]))));
}

const [r, e, d] = [rsaKeys(), ec(), ed()];
const text = encodePem('TEXT', new Uint8Array([1]));

describe('a certificate and its key', () => {
  it.each([
    ['RSA, PKCS 8', certificate(r), pem(r.privateKey)],
    ['RSA, PKCS 1', certificate(r), pem(r.privateKey, 'pkcs1')],
    ['EC, PKCS 8', certificate(e), pem(e.privateKey)],
    ['EC, SEC 1', certificate(e, false), pem(e.privateKey, 'sec1')],
    ['Ed25519', certificate(d), pem(d.privateKey)],
    ['a certificate and a key among other blocks', text + certificate(e) + certificate(r), text + pem(e.privateKey)],
    // The content determines the type of a key, not its label.
    ['a key under another label', certificate(e), pem(e.privateKey).replaceAll('PRIVATE', 'RSA PRIVATE')],
  ])('%s', (_, one, other) => {
    expect(keyPairProblem(one, other)).toBeUndefined();
  });

  it.each([
    ['failed to find any PEM data in certificate input', '', ''],
    ['failed to find any PEM data in certificate input', 'no certificate', pem(r.privateKey)],
    [
      'failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
      pem(r.privateKey),
      certificate(r),
    ],
    [
      'failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [TEXT TEXT]',
      text + text,
      '',
    ],
    ['failed to find any PEM data in key input', certificate(r), 'no key'],
    ['found a certificate rather than a key in the PEM for the private key', certificate(r), certificate(r)],
    [
      'failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [TEXT]',
      certificate(r),
      text,
    ],
    ['failed to parse private key', certificate(r), encodePem('PRIVATE KEY', new Uint8Array([1, 2, 3]))],
    [
      'found unknown private key type in PKCS#8 wrapping',
      certificate(r),
      pem(generateKeyPairSync('x25519').privateKey),
    ],
    ['failed to parse private key', certificate(r), pem(generateKeyPairSync('ed448').privateKey)],
    ['unknown public key algorithm', certificate(generateKeyPairSync('x25519')), pem(r.privateKey)],
    ['private key type does not match public key type', certificate(r), pem(e.privateKey)],
    ['private key type does not match public key type', certificate(e), pem(d.privateKey)],
    ['private key does not match public key', certificate(r), pem(rsaKeys().privateKey)],
    ['private key does not match public key', certificate(e), pem(ec().privateKey, 'sec1')],
  ])('%s', (expected, one, other) => {
    expect(keyPairProblem(one, other)).toBe(`tls: ${expected}`);
  });

  it('are parsed no deeper than their outer structure', () => {
    let bytes: Uint8Array = new Uint8Array();
    for (let i = 0; i < 3000; i++)
      bytes = sequence(integer(new Uint8Array(1)), sequence(oid('1.2.840.113549.1.1.1')), octetString(bytes));
    expect(keyPairProblem(certificate(r), encodePem('PRIVATE KEY', bytes))).toBe('tls: failed to parse private key');
  });

  it('are refused if the certificate is invalid', () => {
    const broken = encodePem('CERTIFICATE', new Uint8Array([0x30, 3, 1]));
    expect(keyPairProblem(broken, pem(r.privateKey))).toBe('x509: malformed certificate');
  });
});
