export type Hash = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512';
export type Curve = 'P-256' | 'P-384' | 'P-521';

/** A signature algorithm with its parameters. */
export type SignatureScheme =
  /** RSASSA-PKCS1-v1_5. */
  | { readonly name: 'RSA'; readonly hash: Hash }
  /** RSASSA-PSS with one hash for both uses and a salt of the hash's length. */
  | { readonly name: 'RSA-PSS'; readonly hash: Hash }
  /** ECDSA. The signature is both numbers one after the other, each as long as the curve's coordinates (IEEE P1363). */
  | { readonly name: 'ECDSA'; readonly hash: Hash; readonly curve: Curve }
  | { readonly name: 'Ed25519' };

/** A private key that signs in one way and cannot be exported. */
export interface Signer {
  sign(data: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/** A new key pair in exportable form. */
export interface GeneratedKey {
  /** PrivateKeyInfo, DER. */
  readonly pkcs8: Uint8Array;
  /** SubjectPublicKeyInfo, DER. */
  readonly spki: Uint8Array;
}

/** A new key pair that the runtime generated. */
export interface RuntimeKey extends GeneratedKey {
  /** Signs with SHA-256. Present if the runtime already has the private key in a form that can sign. */
  readonly signer?: Signer;
}

/**
 * The cryptography of keys. All implementations give the same verdicts; each answers synchronously or with a promise, as its runtime
 * allows. Other modules decide what a certificate or token says and which schemes a key may be used with.
 */
export interface Signatures {
  /**
   * Returns whether the owner of a public key signed the data; false for a signature of any wrong form.
   * @param publicKey SubjectPublicKeyInfo, DER. Its parsed form is cached by the array's identity, so an array must always hold the same
   * key.
   * @throws TypeError (or rejects with one) when it holds no key for this scheme. Points of curves must not be compressed.
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
   * @throws TypeError (or rejects with one) when it holds no key for this scheme.
   */
  signer(scheme: SignatureScheme, pkcs8: Uint8Array): Signer | Promise<Signer>;
  digest(hash: Hash, data: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /**
   * Makes a P-256 key. If the method is absent, the runtime makes a random key.
   * @param purpose what the key is for, such as `service account tokens`. It is the same on every run, so that a test may derive the key
   * from it.
   */
  generateKey?(purpose: string): GeneratedKey | Promise<GeneratedKey>;
}
