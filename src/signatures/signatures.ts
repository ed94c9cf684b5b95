/** A hash function, by its WebCrypto name. */
export type Hash = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512';
/** An elliptic curve, by its WebCrypto name. */
export type Curve = 'P-256' | 'P-384' | 'P-521';

/** A signature algorithm with its parameters. */
export type SignatureScheme =
  /** The scheme RSASSA-PKCS1-v1_5. */
  | { readonly name: 'RSA'; readonly hash: Hash }
  /** The scheme RSASSA-PSS with the same hash for the message and the mask, and a salt of the hash's length. */
  | { readonly name: 'RSA-PSS'; readonly hash: Hash }
  /** The scheme ECDSA. The signature is the concatenation of `r` and `s`, each as long as a coordinate of the curve (IEEE P1363). */
  | { readonly name: 'ECDSA'; readonly hash: Hash; readonly curve: Curve }
  | { readonly name: 'Ed25519' };

/** A private key that signs with one scheme and cannot be exported. */
export interface Signer {
  /** Signs data with the key. */
  sign(data: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/** A new key pair in exportable form. */
export interface GeneratedKey {
  /** The private key as PrivateKeyInfo, DER. */
  readonly pkcs8: Uint8Array;
  /** The public key as SubjectPublicKeyInfo, DER. */
  readonly spki: Uint8Array;
}

/** A new key pair that the runtime generated. */
export interface RuntimeKey extends GeneratedKey {
  /** Signs with the private key, using SHA-256. If it is absent, the caller has to import `pkcs8` before it can sign. */
  readonly signer?: Signer;
}

/**
 * Signs and verifies, computes digests and generates keys. All implementations accept the same keys and signatures. Each method returns a
 * value or a promise, as the runtime allows. Other modules decide what a certificate or token means and which schemes a key may be used
 * with.
 */
export interface Signatures {
  /**
   * Returns whether the owner of a public key signed the data; false for a signature that has the wrong form.
   * @param publicKey the SubjectPublicKeyInfo, DER. Its parsed form is cached by the identity of the array, so an array must always contain
   * the same key.
   * @throws TypeError (or rejects with one) when `publicKey` contains no key for this scheme, or a compressed point.
   */
  verify(
    scheme: SignatureScheme,
    publicKey: Uint8Array,
    signature: Uint8Array,
    data: Uint8Array,
  ): boolean | Promise<boolean>;
  /**
   * Reads a private key.
   * @param pkcs8 PrivateKeyInfo, DER, not encrypted.
   * @throws TypeError (or rejects with one) when `pkcs8` contains no key for this scheme.
   */
  signer(scheme: SignatureScheme, pkcs8: Uint8Array): Signer | Promise<Signer>;
  /** Returns the digest of data. */
  digest(hash: Hash, data: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /**
   * Generates a P-256 key. If the method is absent, the runtime generates a random key.
   * @param purpose what the key is for, such as `service account tokens`. The purpose of a key is the same in every run, so a test may
   * derive the key from it.
   */
  generateKey?(purpose: string): GeneratedKey | Promise<GeneratedKey>;
}
