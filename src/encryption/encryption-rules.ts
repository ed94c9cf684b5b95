import { formatFieldErrors } from '../meta/field-error.js';
import type { GroupResource } from '../meta/group-version.js';
import { ConfigurationError, type DecodeConfigurationOptions } from '../schema/configuration/decode-configuration.js';
import { ENCRYPTED, prefixOf } from '../store/transformer.js';
import { canonicalBase64, decodeBase64 } from '../values/base64.js';
import { messageOf } from '../values/message-of.js';
import { quote } from '../values/quote.js';
import { loadAes, loadSecretbox } from './algorithms.js';
import {
  type Algorithms,
  type Cipher,
  cbcCipher,
  gcmCipher,
  type SecretboxAlgorithm,
  secretboxCipher,
} from './ciphers.js';
import {
  type DecodedEncryption,
  type DecodedKey,
  type DecodedProvider,
  decodeEncryption,
} from './encryption-schema.js';
import { type Provider, ProviderChain, type ProviderKey } from './provider-chain.js';
import { parseResource, validateEncryption } from './validate-encryption.js';

const EVERYTHING = '*.*';
const NO_KEY = 'no matching key was found for the provided';

/** The providers of each resource that a configuration names. */
export class EncryptionRules {
  readonly #chains: ReadonlyMap<string, ProviderChain>;

  constructor(chains: ReadonlyMap<string, ProviderChain>) {
    this.#chains = chains;
  }

  /** Returns the providers of a resource; undefined if the configuration does not cover it. */
  find(resource: GroupResource | undefined): ProviderChain | undefined {
    const chains = this.#chains;
    if (resource === undefined) return chains.get(EVERYTHING);
    return chains.get(nameOf(resource)) ?? chains.get(nameOf({ ...resource, resource: '*' })) ?? chains.get(EVERYTHING);
  }
}

const nameOf = ({ group, resource }: GroupResource): string => `${resource}.${group}`;
/** Returns the name of a resource in the notation of the configuration, for messages. */
const printResource = (resource: GroupResource): string =>
  resource.group === '' && resource.resource !== '*' ? resource.resource : nameOf(resource);

/**
 * The objects that identify keys, by algorithm, secret and name. A key that several configurations contain has the same object in all of
 * them.
 */
export type KeySources = Map<string, object>;

export interface ReadRulesOptions extends DecodeConfigurationOptions {
  /** The path of the file that the configuration was read from. Messages name it, as in upstream. */
  readonly file?: string;
}

/**
 * Reads the rules of a configuration, and loads the algorithms that they need.
 * @throws ConfigurationError with upstream's message for an invalid configuration; Error when the package of an algorithm is not installed
 */
export async function readRules(
  value: unknown,
  options: ReadRulesOptions,
  sources: KeySources,
): Promise<EncryptionRules> {
  const { resources = [] } = decodeValid(value, options);
  const make = await providerMaker(
    resources.flatMap(({ providers = [] }) => providers),
    sources,
  );
  const lists = new Map<string, Provider[]>();
  for (const { resources: names = [], providers = [] } of resources) {
    const made = providers.map(make);
    for (const name of names) {
      const resource = parseResource(name);
      const masks = [
        { ...resource, resource: '*' },
        { group: '*', resource: '*' },
      ];
      const mask = masks.find((each) => lists.has(nameOf(each)));
      if (mask)
        throw refusal(
          `resource ${quote(printResource(resource))} is masked by earlier rule ${quote(printResource(mask))}`,
          options.file === undefined ? [] : ['error while building transformers'],
        );
      const list = lists.get(nameOf(resource));
      if (list) list.push(...made);
      else lists.set(nameOf(resource), [...made]);
    }
  }
  const chains = new Map([...lists].map(([name, list]) => [name, new ProviderChain(nonEmpty(list))] as const));
  return new EncryptionRules(chains);
}

/** @throws ConfigurationError for an object of another kind, and for a configuration that is not valid */
function decodeValid(value: unknown, options: ReadRulesOptions): DecodedEncryption {
  const { file, groupSuffix } = options;
  const parsing = file === undefined ? [] : ['error while parsing file'];
  let decoded: DecodedEncryption;
  try {
    decoded = decodeEncryption(value, options);
  } catch (error) {
    const decoding = file === undefined ? [] : [`error decoding encryption provider configuration file ${quote(file)}`];
    throw refusal(messageOf(error), [...parsing, ...decoding]);
  }
  const errors = validateEncryption(decoded, groupSuffix);
  if (errors.length > 0) throw refusal(formatFieldErrors(errors), parsing);
  return decoded;
}

const refusal = (why: string, steps: readonly string[]) => new ConfigurationError([...steps, why].join(': '));

type Maker = (provider: DecodedProvider) => Provider;

async function providerMaker(providers: readonly DecodedProvider[], sources: KeySources): Promise<Maker> {
  const needsAes = providers.some(({ aesgcm, aescbc }) => aesgcm !== undefined || aescbc !== undefined);
  const needsSecretbox = providers.some(({ secretbox }) => secretbox !== undefined);
  const aes = needsAes ? await loadAes() : undefined;
  const box = needsSecretbox ? await loadSecretbox() : undefined;
  return ({ aesgcm, aescbc, secretbox }) => {
    if (aesgcm) return providerOf('aesgcm', aesgcm.keys, (key) => gcmCipher(aes as Algorithms, key), 'AES');
    if (aescbc) return providerOf('aescbc', aescbc.keys, (key) => cbcCipher(aes as Algorithms, key), 'AES');
    if (secretbox)
      return providerOf(
        'secretbox',
        secretbox.keys,
        (key) => secretboxCipher(box as SecretboxAlgorithm, key),
        'Secretbox',
      );
    return 'identity';
  };

  function providerOf(
    algorithm: string,
    keys: readonly DecodedKey[] = [],
    cipherOf: (key: Uint8Array) => Cipher,
    family: string,
  ): Provider {
    const prefix = `${ENCRYPTED.text}${algorithm}:v1:`;
    const made = keys.map(({ name, secret }): ProviderKey => {
      // Validation has accepted the secret, so the result is a string.
      const canonical = String(canonicalBase64(secret));
      const label = `${name}:`;
      const identity = `${algorithm} ${canonical} ${name}`;
      const source = sources.get(identity) ?? {};
      sources.set(identity, source);
      return { label, prefix: prefixOf(prefix + label), cipher: cipherOf(decodeBase64(canonical)), source };
    });
    return { prefix: prefixOf(prefix), keys: nonEmpty(made), unknownKey: `${NO_KEY} ${family} transformer` };
  }
}

/** Validation has refused empty lists of providers and keys, so the cast is safe. */
const nonEmpty = <I>(items: readonly I[]) => items as readonly [I, ...I[]];
