import { isJsonObject } from '../json/value.js';
import { formatGroupVersionKind } from '../meta/group-version.js';
import {
  type Fields,
  int32,
  list,
  type OutputOf,
  omitEmpty,
  omitNull,
  required,
  string,
  struct,
  structSchema,
} from '../schema/authoring.js';
import {
  ConfigurationError,
  type DecodeConfigurationOptions,
  decodeConfiguration,
} from '../schema/configuration/decode-configuration.js';

const KIND = 'EncryptionConfiguration';
const GROUP = 'apiserver.config';
/**
 * The other kinds in the API group and version of EncryptionConfiguration. A file with an object of one of these kinds is refused as the
 * wrong kind.
 */
const OTHERS = ['AdmissionConfiguration', 'TracingConfiguration'];

const part = <const F extends Fields>(name: string, fields: () => F) =>
  struct(`io.k8s.apiserver.v1.${name}`, '', fields);
const key = part('Key', () => ({ name: required(string()), secret: required(string()) }));
const aes = part('AESConfiguration', () => ({ keys: omitEmpty(list(key)) }));
const secretbox = part('SecretboxConfiguration', () => ({ keys: omitEmpty(list(key)) }));
const identity = part('IdentityConfiguration', () => ({}));
const kms = part('KMSConfiguration', () => ({
  apiVersion: omitEmpty(string()),
  name: omitEmpty(string()),
  cachesize: omitNull(int32()),
  endpoint: omitEmpty(string()),
  timeout: omitNull(string()),
}));
const provider = part('ProviderConfiguration', () => ({
  aesgcm: omitNull(aes),
  aescbc: omitNull(aes),
  secretbox: omitNull(secretbox),
  identity: omitNull(identity),
  kms: omitNull(kms),
}));
const resource = part('ResourceConfiguration', () => ({
  resources: omitEmpty(list(string())),
  providers: omitEmpty(list(provider)),
}));
const configuration = part(KIND, () => ({ resources: omitEmpty(list(resource)) }));

export type DecodedEncryption = OutputOf<typeof configuration>;
export type DecodedProvider = OutputOf<typeof provider>;
export type DecodedKey = OutputOf<typeof key>;

/**
 * Decodes an EncryptionConfiguration. Unknown and duplicate fields are refused, as in upstream.
 * @throws ConfigurationError with upstream's message. No message contains any part of a secret.
 */
export function decodeEncryption(value: unknown, options: DecodeConfigurationOptions): DecodedEncryption {
  const definition = {
    kind: KIND,
    known: [{ group: GROUP, version: 'v1', kind: KIND }],
    schema: structSchema(configuration),
  };
  const version = `${GROUP}.${options.groupSuffix}`;
  if (isJsonObject(value) && value['apiVersion'] === `${version}/v1` && OTHERS.includes(String(value['kind']))) {
    const gvk = formatGroupVersionKind({ group: version, version: 'v1', kind: String(value['kind']) });
    throw new ConfigurationError(`got unexpected config type: ${gvk}`);
  }
  // Upstream also accepts the kind under its older name, `EncryptionConfig` of the core group.
  const hasOldName = isJsonObject(value) && value['apiVersion'] === 'v1' && value['kind'] === 'EncryptionConfig';
  const named = hasOldName ? { ...value, apiVersion: `${version}/v1`, kind: KIND } : value;
  // The definition contains this schema, so the decoded value has the schema's output type.
  return decodeConfiguration(named, definition, options) as DecodedEncryption;
}
