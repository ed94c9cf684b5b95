import type { ApiServerOptions } from '../api-server-options.js';
import type { Curve, Hash, Signatures, Signer } from '../signatures/signatures.js';
import { systemSignatures } from '../signatures/system-signatures.js';
import { decodeBase64Url, encodeBase64Url } from '../values/base64.js';
import { refuseUnknownMembers } from '../values/did-you-mean.js';
import { checkSeed } from './check-arguments.js';
import { createFakeClock, type FakeClock } from './fake-clock.js';
import { createFakeRandom, type FakeRandom } from './fake-random.js';

/** The options of {@link insecureDeterministic}. */
export interface InsecureDeterministicOptions {
  /** Determines ids, suffixes of names, serial numbers and keys. */
  readonly seed: number;
  /** The time at which the clock starts, as for `createFakeClock`. Default 2024-01-01T00:00:00Z. */
  readonly start?: number | Date | string;
}

/** The options of a server whose output depends on its calls alone. */
export interface InsecureDeterministicServer extends Pick<ApiServerOptions, 'controllers'> {
  /** The clock, which only the test moves. */
  readonly clock: FakeClock;
  /** The source of uids, suffixes of names and other random values. */
  readonly random: FakeRandom;
  /** Signatures with keys that follow from the seed. */
  readonly signatures: Signatures;
  readonly controllers: { readonly mode: 'stepped' };
}

/**
 * Returns server options with which the same calls produce the same bytes: ids, names, times, tokens, keys, certificates and watch events.
 * They are for tests only and insecure, because anyone who knows the seed has the keys of the server.
 *
 * The controllers are stepped, because controllers that run by themselves interleave with the calls differently on every run. Calls that
 * must have the same order on every run must be awaited one after the other.
 * @throws TypeError for a seed that is not a whole number, and in other runtimes than Node, because the functions for elliptic curves are
 * Node's.
 */
export function insecureDeterministic(options: InsecureDeterministicOptions): InsecureDeterministicServer {
  refuseUnknownMembers('insecureDeterministic', options, ['seed', 'start']);
  const { seed, start } = options;
  checkSeed('insecureDeterministic', seed);
  return {
    clock: createFakeClock(start),
    random: createFakeRandom(seed),
    signatures: insecureDeterministicSignatures(seed),
    controllers: { mode: 'stepped' },
  };
}

/**
 * Returns signature functions that produce the same bytes for the same key and data (ECDSA by RFC 6979). The keys that a server generates
 * follow from the seed and their purpose. Two keys for one purpose are therefore the same, and none of them is secret.
 * @throws TypeError as {@link insecureDeterministic} does.
 */
export function insecureDeterministicSignatures(seed: number): Required<Signatures> {
  checkSeed('insecureDeterministicSignatures', seed);
  const crypto = nodeCrypto();
  return {
    verify: (...call) => systemSignatures.verify(...call),
    digest: (hash, data) => systemSignatures.digest(hash, data),
    async signer(scheme, pkcs8) {
      // The system's signer checks the key. It also signs in the other schemes that a server uses, RSASSA-PKCS1-v1_5 and Ed25519, because
      // these are deterministic.
      const checked = await systemSignatures.signer(scheme, pkcs8);
      return scheme.name === 'ECDSA' ? ecdsaSigner(crypto, scheme.curve, scheme.hash, pkcs8) : checked;
    },
    generateKey(purpose) {
      const { order, bytes, node } = CURVES['P-256'];
      const hash = crypto.createHash('sha512').update(`insecure ${seed} ${purpose}`).digest();
      const secret = toBytes((toNumber(hash) % (order - 1n)) + 1n, bytes);
      const half = crypto.createECDH(node);
      half.setPrivateKey(secret);
      const point = half.getPublicKey();
      const jwk = {
        kty: 'EC',
        crv: 'P-256',
        d: encodeBase64Url(secret),
        x: encodeBase64Url(point.subarray(1, 1 + bytes)),
        y: encodeBase64Url(point.subarray(1 + bytes)),
      };
      const key = crypto.createPrivateKey({ key: jwk, format: 'jwk' });
      return {
        pkcs8: new Uint8Array(key.export({ type: 'pkcs8', format: 'der' })),
        spki: new Uint8Array(crypto.createPublicKey(key).export({ type: 'spki', format: 'der' })),
      };
    },
  };
}

interface CurveFacts {
  /** The order of the base point (FIPS 186-4, D.1.2). */
  readonly order: bigint;
  /** The length of the base point's order, in bits and bytes. */
  readonly bits: number;
  readonly bytes: number;
  /** The name of the curve in `node:crypto`. */
  readonly node: string;
}

const CURVES: Readonly<Record<Curve, CurveFacts>> = {
  'P-256': {
    order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
    bits: 256,
    bytes: 32,
    node: 'prime256v1',
  },
  'P-384': {
    order: 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
    bits: 384,
    bytes: 48,
    node: 'secp384r1',
  },
  'P-521': {
    order:
      0x1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
    bits: 521,
    bytes: 66,
    node: 'secp521r1',
  },
};

/** Returns an ECDSA signer whose `k` follows from the key and the data (RFC 6979, section 3.2) instead of being random. */
function ecdsaSigner(crypto: NodeCrypto, curve: Curve, hash: Hash, pkcs8: Uint8Array): Signer {
  const { order, bits, bytes, node } = CURVES[curve];
  const name = hash.replace('-', '').toLowerCase();
  const { d = '' } = crypto
    .createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
    .export({ format: 'jwk' }) as Readonly<Record<string, string>>; // The JWK of an EC key contains only strings.
  const secret = toNumber(decodeBase64Url(d) ?? [0]);
  /** Returns the leftmost bits of a digest as a number, as many bits as the order of the curve's base point has. */
  const truncated = (digest: Uint8Array) => toNumber(digest) >> BigInt(Math.max(0, digest.length * 8 - bits));

  return {
    sign(data) {
      const digest = truncated(crypto.createHash(name).update(data).digest());
      for (const k of candidates(crypto, name, CURVES[curve], secret, digest)) {
        const half = crypto.createECDH(node);
        half.setPrivateKey(toBytes(k, bytes));
        const r = toNumber(half.getPublicKey().subarray(1, 1 + bytes)) % order;
        const s = (inverse(k, order) * (digest + r * secret)) % order;
        if (r !== 0n && s !== 0n) return Uint8Array.from([...toBytes(r, bytes), ...toBytes(s, bytes)]);
      }
      throw new Error('the candidates have no end');
    },
  };
}

/** Generates the candidates for `k` (RFC 6979, section 3.2, steps b to h). The first candidate is nearly always valid. */
function* candidates(
  crypto: NodeCrypto,
  hash: string,
  { order, bits, bytes }: CurveFacts,
  secret: bigint,
  digest: bigint,
): Generator<bigint> {
  const size = crypto.createHash(hash).update(new Uint8Array()).digest().length;
  const mac = (key: Uint8Array, ...parts: readonly Uint8Array[]) => {
    const hmac = crypto.createHmac(hash, key);
    for (const part of parts) hmac.update(part);
    return new Uint8Array(hmac.digest());
  };
  const seeds = [toBytes(secret, bytes), toBytes(digest % order, bytes)];
  let value = new Uint8Array(size).fill(1);
  let key = new Uint8Array(size);
  for (const step of [0, 1]) {
    key = mac(key, value, Uint8Array.of(step), ...seeds);
    value = mac(key, value);
  }
  for (;;) {
    let text: number[] = [];
    while (text.length * 8 < bits) {
      value = mac(key, value);
      text = [...text, ...value];
    }
    const candidate = toNumber(text) >> BigInt(text.length * 8 - bits);
    if (candidate > 0n && candidate < order) yield candidate;
    key = mac(key, value, Uint8Array.of(0));
    value = mac(key, value);
  }
}

/** Returns the inverse modulo a prime, by the extended Euclidean algorithm. */
function inverse(of: bigint, modulus: bigint): bigint {
  let [low, high, x, y] = [of % modulus, modulus, 1n, 0n];
  while (low > 1n) {
    const quotient = high / low;
    [low, high, x, y] = [high - quotient * low, low, y - quotient * x, x];
  }
  return ((x % modulus) + modulus) % modulus;
}

function toNumber(bytes: Iterable<number>): bigint {
  return BigInt(`0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`);
}

function toBytes(number: bigint, length: number): Uint8Array<ArrayBuffer> {
  const hex = number.toString(16).padStart(length * 2, '0');
  return Uint8Array.from({ length }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

/**
 * The members of `node:crypto` that are used. They are declared here, because this module may also be loaded in a browser, which lacks
 * `node:crypto` and its types.
 */
interface NodeCrypto {
  createHash(name: string): NodeDigest;
  createHmac(name: string, key: Uint8Array): NodeDigest;
  createECDH(curve: string): { setPrivateKey(key: Uint8Array): void; getPublicKey(): Uint8Array };
  createPrivateKey(
    input:
      | { readonly key: Uint8Array; readonly format: 'der'; readonly type: 'pkcs8' }
      | { readonly key: object; readonly format: 'jwk' },
  ): NodeKey;
  createPublicKey(key: NodeKey): NodeKey;
}
interface NodeDigest {
  update(data: Uint8Array | string): NodeDigest;
  digest(): Uint8Array;
}
interface NodeKey {
  export(options: { readonly format: 'jwk' }): object;
  export(options: { readonly format: 'der'; readonly type: 'pkcs8' | 'spki' }): Uint8Array;
}

function nodeCrypto(): NodeCrypto {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } };
  // The type follows the documentation of Node.
  const crypto = process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;
  if (crypto === undefined) throw new TypeError('deterministic signatures need Node');
  return crypto;
}
