import { ENCRYPTED, type Prefix, type Restored, type ValueForm } from '../store/transformer.js';
import type { Cipher } from './ciphers.js';
import type { TransformationMeter } from './transformation-meter.js';

/** A key of a provider. */
export interface ProviderKey {
  /** The name of the key, followed by a colon. */
  readonly label: string;
  /** The beginning of the stored values that are encrypted with this key. It ends with `label`. */
  readonly prefix: Prefix;
  readonly cipher: Cipher;
  /** The object that identifies the key. Keys with the same algorithm, name and secret have the same object in every configuration. */
  readonly source: object;
}

/** A provider that encrypts, or `identity`. */
export type Provider =
  | 'identity'
  | {
      readonly prefix: Prefix;
      readonly keys: readonly [ProviderKey, ...ProviderKey[]];
      /** The message for a stored value that has this provider's prefix but names an unknown key. */
      readonly unknownKey: string;
    };

/**
 * The context of a transformation: how values are represented (`form`), the storage key of the value (`place`), and the meter that measures
 * the transformation.
 */
export interface Place<V> {
  readonly form: ValueForm<V>;
  readonly place: Uint8Array;
  readonly meter: TransformationMeter;
}

/** Thrown for a stored value that no provider can read. The message does not contain any part of the value. */
class UnreadableValueError extends Error {
  override readonly name = 'UnreadableValueError';
  readonly problems: readonly string[];

  /** Joins several messages as upstream does, without duplicates. */
  constructor(problems: readonly string[]) {
    const all = [...new Set(problems)];
    super(all.length === 1 ? all[0] : `[${all.join(', ')}]`);
    this.problems = all;
  }
}

const problemsOf = (error: unknown): readonly string[] =>
  error instanceof UnreadableValueError ? error.problems : [error instanceof Error ? error.message : String(error)];

/** The providers of a resource. Values are written with the first provider, and all providers can read values. */
export class ProviderChain {
  readonly #providers: readonly [Provider, ...Provider[]];

  constructor(providers: readonly [Provider, ...Provider[]]) {
    this.#providers = providers;
  }

  /** The object that identifies the key with which values are written; undefined if values are written unencrypted. */
  get source(): object | undefined {
    const [first] = this.#providers;
    return first === 'identity' ? undefined : first.keys[0].source;
  }

  encrypt<V>(value: V, { form, place, meter }: Place<V>): V {
    const [first] = this.#providers;
    if (first === 'identity') return meter.measure('to_storage', '', () => value);
    const [key] = first.keys;
    return meter.measure('to_storage', first.prefix.text, () => {
      const bytes = form.toBytes(value);
      const encrypted = meter.measure('to_storage', key.label, () => key.cipher.encrypt(bytes, place));
      return form.join(key.prefix, encrypted);
    });
  }

  /**
   * Decrypts a value with the first provider that can. Every provider whose prefix the value has is tried, because two providers may have
   * different keys with the same prefix while keys are rotated.
   * @throws Error when no provider can decrypt the value
   */
  decrypt<V>(stored: V, at: Place<V>): Restored<V> {
    const { form, meter } = at;
    const problems: string[] = [];
    for (const provider of this.#providers) {
      if (provider === 'identity') {
        if (form.startsWith(stored, ENCRYPTED)) continue;
        return meter.measure('from_storage', 'identity', () => ({ value: stored, source: undefined }));
      }
      if (!form.startsWith(stored, provider.prefix)) continue;
      try {
        return meter.measure('from_storage', provider.prefix.text, () => decryptWith(provider, stored, at));
      } catch (error) {
        problems.push(...problemsOf(error));
      }
    }
    if (problems.length > 0) throw new UnreadableValueError(problems);
    return refuse('no matching prefix found', meter);
  }
}

function decryptWith<V>(
  { keys, unknownKey }: Exclude<Provider, 'identity'>,
  stored: V,
  { form, place, meter }: Place<V>,
): Restored<V> {
  const problems: string[] = [];
  for (const { label, prefix, cipher, source } of keys) {
    if (!form.startsWith(stored, prefix)) continue;
    try {
      const bytes = meter.measure('from_storage', label, () => cipher.decrypt(form.after(stored, prefix), place));
      return { value: form.fromBytes(bytes), source };
    } catch (error) {
      problems.push(...problemsOf(error));
    }
  }
  if (problems.length > 0) throw new UnreadableValueError(problems);
  return refuse(unknownKey, meter);
}

function refuse(problem: string, meter: TransformationMeter): never {
  return meter.measure('from_storage', 'unknown', () => {
    throw new UnreadableValueError([problem]);
  });
}
