import { beforeAll, describe, expect, it } from 'vitest';
import { x509 } from '../../../src/authentication/certificates/x509.js';
import { systemRandom } from '../../../src/meta/random.js';
import { headersOf } from '../../../src/meta/request-headers.js';
import { createCertificateAuthority, type KeyPair } from '../../../src/pki/certificate-authority.js';
import { readCertificates } from '../../../src/pki/certificate-reader.js';
import { bitString, boolean, element, integer, oid, sequence, set, utf8String } from '../../../src/pki/der/writer.js';
import { nameTag } from '../../../src/pki/names/general-names.js';
import { generateKey, importPrivateKey, type SigningKey } from '../../../src/pki/private-key.js';
import { buildRaw, rawExtension } from '../../pki/raw-certificate.js';
import { fakeHost } from '../../support/hosts.js';

/*
 * Creating certificates is cheap for an attacker, so verifying them must not cost the server more than the handshake did. Every attack is
 * judged by the CPU time of its refusal, and by the cost of the next request on the connection.
 */
const NOW = '2026-11-21T12:00:00Z';
const TIMES = { notBefore: Date.parse(NOW) - 1000, notAfter: Date.parse(NOW) + 86_400_000 };
// This takes 50 ms on an idle machine; a slow one needs up to twice as long for the same steps.
const LIMIT = 100;
const RUNS = 4;
const MOST_RUNS = 20;

const commonName = (text: string) => sequence(set(sequence(oid('2.5.4.3'), utf8String(text))));
const dns = (text: string) => element(nameTag.dns, new TextEncoder().encode(text));
const names = (list: readonly string[]) => rawExtension('2.5.29.17', sequence(...list.map(dns)));
const CA = rawExtension('2.5.29.19', sequence(boolean(true)), true);
const excluded = (list: readonly Uint8Array[]) =>
  rawExtension('2.5.29.30', sequence(element(0xa1, ...list.map((name) => sequence(name)))), true);
const many = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i));
const letter = (i: number) => String.fromCharCode(97 + (i % 26));

interface Keys {
  readonly signing: SigningKey;
  readonly publicKey: Uint8Array;
}
let authority: KeyPair;
let root: { readonly name: Uint8Array; readonly signing: SigningKey };
let keys: readonly Keys[];
beforeAll(async () => {
  authority = await createCertificateAuthority({ commonName: 'root', now: Date.parse(NOW) });
  const [certificate] = readCertificates(authority.certificate);
  root = { name: certificate?.subject.raw ?? new Uint8Array(), signing: await importPrivateKey(authority.key) };
  keys = await Promise.all(many(3, () => generateKey()));
  // The first run is not measured.
  for (let i = 0; i < 5; i++) await cost(await chain({ middle: [CA], leaf: [names(['a.b'])] }));
});
const key = (i: number): Keys => keys[i % keys.length] ?? fail();
const fail = (): never => {
  throw new Error('no key');
};

/** Returns a leaf below an intermediate that is named as a child of the root. The intermediate is self-made unless the root signs it. */
async function chain(parts: {
  readonly leaf?: readonly Uint8Array[];
  readonly middle?: readonly Uint8Array[];
  readonly trusted?: boolean;
}): Promise<Uint8Array[]> {
  const [own, leaf] = [key(0), key(1)];
  const middle = commonName('middle');
  const issuer = { issuer: root.name, subject: middle, publicKey: own.publicKey, ...TIMES };
  return [
    await buildRaw(
      {
        issuer: middle,
        subject: commonName('jane'),
        publicKey: leaf.publicKey,
        ...TIMES,
        extensions: parts.leaf ?? [],
      },
      own.signing,
    ),
    await buildRaw({ ...issuer, extensions: parts.middle ?? [CA] }, parts.trusted ? root.signing : key(2).signing),
  ];
}

/** Returns the minimum CPU time of some new connections with a chain, and their responses. */
async function cost(peerCertificates: readonly Uint8Array[]) {
  let least = Number.POSITIVE_INFINITY;
  let answer = '';
  // Other work of the machine adds to the measured time, so an expensive run is repeated.
  for (let run = 0; run < RUNS || (run < MOST_RUNS && least >= LIMIT); run++) {
    const authenticator = x509({ clientCA: authority.certificate })(fakeHost(NOW));
    const before = process.cpuUsage();
    const result = await authenticator.authenticate({ headers: headersOf(), peerCertificates: [...peerCertificates] });
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
    answer = result.outcome === 'rejected' ? result.error.message : result.outcome;
  }
  return { milliseconds: least, answer };
}

async function expectCheap(peerCertificates: readonly Uint8Array[], why: string | RegExp): Promise<void> {
  const { milliseconds, answer } = await cost(peerCertificates);
  expect(answer).toMatch(why);
  expect(milliseconds).toBeLessThan(LIMIT);
}

describe('comparisons of names with constraints', () => {
  it('refuse a name of 45 kB below 8,000 constraints while parsing', async () =>
    expectCheap(
      await chain({
        leaf: [names(['a.'.repeat(22_500)])],
        middle: [CA, excluded(many(8000, (i) => dns(letter(i))))],
      }),
      'DNS name is too long',
    ));
  it('are not done for the longest names below the most constraints of an untrusted issuer', async () =>
    expectCheap(
      await chain({
        leaf: [names(many(200, (i) => `${'a.'.repeat(120)}${letter(i)}`))],
        middle: [CA, excluded(many(4000, (i) => dns(`${letter(i)}${i}`)))],
      }),
      'unknown authority',
    ));
  it('are cheap below a trusted CA as well', async () =>
    expectCheap(
      await chain({
        trusted: true,
        leaf: [names(many(60, (i) => `${'a.'.repeat(120)}${letter(i)}`))],
        middle: [CA, excluded(many(4000, (i) => dns(`${letter(i)}${i}`)))],
      }),
      'authenticated',
    ));
  it('are refused beyond the number that upstream makes', async () =>
    expectCheap(
      await chain({
        trusted: true,
        leaf: [names(many(2000, (i) => `${i}.a`))],
        middle: [CA, excluded(many(2000, (i) => dns(`${letter(i)}${i}`)))],
      }),
      'too many constraints',
    ));
});

describe('verification of keys and signatures', () => {
  /** A public key whose exponent is as long as its modulus. */
  const dearKey = (bytes: number) => {
    const odd = systemRandom.fill(new Uint8Array(bytes)).map((byte, i) => (i === 0 ? byte | 0x80 : byte | 1));
    const rsa = sequence(oid('1.2.840.113549.1.1.1'), Uint8Array.of(5, 0));
    return sequence(rsa, bitString(sequence(integer(odd), integer(odd))));
  };
  it('refuses a CA with an exponent of 3,072 bits while parsing', async () => {
    const [leaf = new Uint8Array()] = await chain({});
    const middle = { issuer: root.name, subject: commonName('middle'), publicKey: dearKey(384), ...TIMES };
    await expectCheap(
      [leaf, await buildRaw({ ...middle, extensions: [CA] }, key(0).signing)],
      'x509: invalid RSA public exponent',
    );
  });
  it('uses no key of an untrusted client for fifteen CAs of one name, each signed by the next', async () => {
    const subject = commonName('middle');
    const [leaf = new Uint8Array()] = await chain({});
    const maze = await Promise.all(
      many(15, (i) =>
        buildRaw(
          { issuer: subject, subject, publicKey: key(i).publicKey, ...TIMES, extensions: [CA] },
          key(i + 1).signing,
        ),
      ),
    );
    await expectCheap([leaf, ...maze], 'unknown authority');
  });
  it('verifies fifteen signatures for fifteen CAs that are named as children of the root', async () => {
    const maze = await Promise.all(many(15, async () => (await chain({}))[1] ?? new Uint8Array()));
    const [leaf = new Uint8Array()] = await chain({});
    await expectCheap([leaf, ...maze], 'unknown authority');
  });
  it('does not begin for a hundred certificates', async () => {
    const [leaf = new Uint8Array(), middle = new Uint8Array()] = await chain({});
    await expectCheap([leaf, ...many(100, () => middle)], 'the chain is too long');
  });
});

describe('the structure of certificates', () => {
  const nested = () => {
    let name: Uint8Array = sequence();
    while (name.length < 60_000) name = sequence(name);
    return name;
  };
  it.each<[string, () => Uint8Array, string]>([
    [
      'refuses a subject of 4,000 parts',
      () => sequence(...many(4000, () => set(sequence(oid('2.5.4.3'), utf8String('a'))))),
      'too many elements',
    ],
    ['refuses a deeply nested name', nested, 'too deep'],
    [
      'refuses 30,000 empty elements',
      () => sequence(...many(30_000, () => Uint8Array.of(0x30, 0))),
      'too many elements',
    ],
  ])('%s', async (_, subject, why) => {
    const content = { issuer: root.name, subject: subject(), publicKey: key(1).publicKey, ...TIMES };
    await expectCheap([await buildRaw(content, key(0).signing)], why);
  });
  it('has at most as many elements as a connection may send', async () => {
    const subject = sequence(...many(240, (i) => set(sequence(oid('2.5.4.3'), utf8String(`n${i}`)))));
    const content = { issuer: root.name, subject, publicKey: key(1).publicKey, ...TIMES };
    await expectCheap(
      [await buildRaw(content, key(0).signing), await buildRaw(content, key(0).signing)],
      'unknown authority',
    );
  });
  it('may have a thousand extensions, and one of 60 kB', async () => {
    const value = new Uint8Array(60_000).fill(0x30);
    await expectCheap(
      await chain({ leaf: many(1000, (i) => rawExtension(`1.2.${i}`, Uint8Array.of(5, 0))) }),
      'too many elements',
    );
    await expectCheap(await chain({ leaf: [rawExtension('2.5.29.15', value)] }), /malformed certificate/);
  });
});

describe('the refusal of a client certificate', () => {
  it('is remembered as long as the connection is open', async () => {
    const host = fakeHost(NOW);
    const authenticator = x509({ clientCA: authority.certificate })(host);
    const connection = { headers: headersOf(), peerCertificates: await chain({}) };
    const first = await authenticator.authenticate(connection);
    for (let hour = 0; hour < 23; hour++) {
      host.clock.advance(3_600_000);
      expect(authenticator.authenticate(connection)).toBe(first);
    }
  });
  it('is remembered for ever if it is malformed', async () => {
    const host = fakeHost(NOW);
    const authenticator = x509({ clientCA: authority.certificate })(host);
    const connection = { headers: headersOf(), peerCertificates: [Uint8Array.of(0x30, 0)] };
    const first = await authenticator.authenticate(connection);
    host.clock.advance(1e12);
    expect(authenticator.authenticate(connection)).toBe(first);
  });
  it('is forgotten when the CAs change', async () => {
    let bundle = authority.certificate;
    const authenticator = x509({ clientCA: () => bundle })(fakeHost(NOW));
    const connection = { headers: headersOf(), peerCertificates: await chain({}) };
    const first = await authenticator.authenticate(connection);
    bundle += '\n';
    expect(await authenticator.authenticate(connection)).not.toBe(first);
  });
});
