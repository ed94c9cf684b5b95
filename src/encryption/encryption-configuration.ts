import { type Dialect, dialectOf } from '../meta/dialect.js';
import { type Encryption, plainTransformer } from '../store/transformer.js';
import type { EncryptionRules, KeySources } from './encryption-rules.js';
import { TransformationMeter } from './transformation-meter.js';

/** A key of a provider. */
export interface EncryptionKey {
  /** The name that is stored with each value. It must not be given to another key while values with this name are stored. */
  readonly name: string;
  /** The key in base64: 32 bytes, for AES also 16 or 24. */
  readonly secret: string;
}

/** A provider, which encrypts values, or `identity`, which leaves them as they are. */
export type EncryptionProvider =
  | { readonly secretbox: { readonly keys: readonly EncryptionKey[] } }
  | { readonly aesgcm: { readonly keys: readonly EncryptionKey[] } }
  | { readonly aescbc: { readonly keys: readonly EncryptionKey[] } }
  | { readonly identity: Readonly<Record<string, never>> };

/** Which resources are encrypted, and how: the API's EncryptionConfiguration, version v1. */
export interface EncryptionConfiguration {
  /** The API version of the configuration. It may be absent in the library; a file must have it. */
  readonly apiVersion?: string;
  /** The kind, `EncryptionConfiguration`. It may be absent in the library; a file must have it. */
  readonly kind?: string;
  /** The rules: which resources are encrypted, and how. The most specific rule for a resource applies. */
  readonly resources: readonly {
    /** The names of resources with their group: `secrets`, `deployments.apps`, `*.apps`, `*.` for the core group, `*.*` for everything. */
    readonly resources: readonly string[];
    /**
     * The providers in order. Values are written with the first key of the first provider, and can be read with all keys of all providers.
     */
    readonly providers: readonly EncryptionProvider[];
  }[];
}

/** How an EncryptionConfiguration is read. */
export interface EncryptionConfigurationOptions {
  /** The API dialect of the server. It determines the names of API groups in the configuration. Default `orch`. */
  readonly dialect?: Dialect['name'];
  /** Whether `apiVersion` and `kind` are required, as in a file. Default false. */
  readonly typed?: boolean;
}

/** An encryption that follows a configuration. The configuration can be replaced while servers use it. */
export interface ConfiguredEncryption extends Encryption {
  /**
   * Replaces the configuration for all later reads and writes. Objects that are in memory stay readable even if the new configuration lacks
   * their keys. If this method throws, the old configuration stays in use.
   * @throws ConfigurationError when the new configuration is not valid; Error when a package that it needs is not installed.
   */
  replace(configuration: EncryptionConfiguration): Promise<void>;
}

/**
 * Reads an EncryptionConfiguration, for the option `encryption` of `etcd()` and `level()`. Secretbox needs the package `@noble/ciphers`.
 * Example:
 *
 *   const encryption = await encryptionConfiguration({
 *     resources: [{ resources: ['secrets'], providers: [{ secretbox: { keys: [{ name: 'key1', secret }] } }, { identity: {} }] }],
 *   });
 *   new ApiServer({ storage: level({ path: 'data', encryption }) })
 *
 * @throws ConfigurationError with upstream's message when the configuration is not valid, has a KMS provider, or has a rule that masks
 * another rule; Error when a package that the configuration needs is not installed.
 */
export async function encryptionConfiguration(
  configuration: EncryptionConfiguration,
  options: EncryptionConfigurationOptions = {},
): Promise<ConfiguredEncryption> {
  return await RuledEncryption.read(configuration, options);
}

export interface ReadOptions extends EncryptionConfigurationOptions {
  /** The path of the file with the configuration, for messages. */
  readonly file?: string;
  /** Errors that the YAML or JSON parser has found, such as duplicate keys. */
  readonly problems?: readonly string[];
}

/** Encrypts each resource by the rules of a configuration. */
export class RuledEncryption implements ConfiguredEncryption {
  readonly #options: ReadOptions;
  readonly #sources: KeySources;
  #rules: EncryptionRules;

  private constructor(options: ReadOptions, sources: KeySources, rules: EncryptionRules) {
    this.#options = options;
    this.#sources = sources;
    this.#rules = rules;
  }

  /** Reads a configuration. @throws the errors of {@link encryptionConfiguration} */
  static async read(value: unknown, options: ReadOptions): Promise<RuledEncryption> {
    const sources: KeySources = new Map();
    return new RuledEncryption(options, sources, await rulesOf(value, options, sources));
  }

  async replace(configuration: unknown, problems: readonly string[] = []): Promise<void> {
    this.#rules = await rulesOf(configuration, { ...this.#options, problems }, this.#sources);
  }

  transformer: Encryption['transformer'] = (form, { resourceOf, placeOf, clock, metrics }) => {
    const meter = new TransformationMeter(metrics, clock);
    const plain = plainTransformer(form);
    const at = (key: string) => ({ form, meter, place: utf8.encode(placeOf(key)) });
    const chainOf = (key: string) => this.#rules.find(resourceOf(key));
    return {
      toStorage: (value, key) => chainOf(key)?.encrypt(value, at(key)) ?? value,
      fromStorage: (stored, key) => chainOf(key)?.decrypt(stored, at(key)) ?? plain.fromStorage(stored, key),
      sourceOfWrites: (key) => chainOf(key)?.source,
    };
  };
}

const utf8 = new TextEncoder();

/** Reads the rules of a configuration. The modules that read rules are imported only here, because most servers do not encrypt. */
async function rulesOf(
  value: unknown,
  { dialect = 'orch', typed = false, file, problems = [] }: ReadOptions,
  sources: KeySources,
): Promise<EncryptionRules> {
  const { readRules } = await import('./encryption-rules.js');
  const { groupSuffix } = dialectOf(dialect);
  const named = file === undefined ? {} : { file };
  return await readRules(value, { groupSuffix, untyped: !typed, problems, ...named }, sources);
}
