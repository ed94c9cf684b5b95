import { addErrors, errorsOf, type FieldError, fieldError, printed } from '../meta/field-error.js';
import type { GroupResource } from '../meta/group-version.js';
import { canonicalBase64, decodedLength } from '../values/base64.js';
import type { DecodedEncryption, DecodedKey, DecodedProvider } from './encryption-schema.js';

/** The members of a provider in the order of upstream's Go struct, with their names and types in that struct. */
const PROVIDERS = [
  ['aesgcm', 'AESGCM', 'AESConfiguration'],
  ['aescbc', 'AESCBC', 'AESConfiguration'],
  ['secretbox', 'Secretbox', 'SecretboxConfiguration'],
  ['identity', 'Identity', 'IdentityConfiguration'],
  ['kms', 'KMS', 'KMSConfiguration'],
] as const;
/** A constant that replaces the address that Go prints for a pointer. */
const ADDRESS = '0xc000000000';

const AES_KEY_SIZES = [16, 24, 32];
const SECRETBOX_KEY_SIZES = [32];
/** Resources that upstream stores but does not serve in its API. */
const NOT_SERVED = new Set(['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations']);

/** Parses the name of a resource: `secrets`, `deployments.apps`, `*.apps`, `*.` for the core group, `*.*`. */
export function parseResource(text: string): GroupResource {
  const dot = text.indexOf('.');
  return dot < 0 ? { group: '', resource: text } : { group: text.slice(dot + 1), resource: text.slice(0, dot) };
}

/** Returns the errors of a configuration, in upstream's words and order. They never contain secrets. */
export function validateEncryption({ resources = [] }: DecodedEncryption, groupSuffix: string): FieldError[] {
  if (resources.length === 0) return [requiredError('resources', 'resources')];
  return errorsOf(resources, ({ resources: names = [], providers = [] }, i) => {
    const path = `resources[${i}].resources`;
    const providersPath = `resources[${i}].providers`;
    const errors: FieldError[] = [];
    if (names.length === 0) errors.push(requiredError(path, path));
    addErrors(errors, validateOverlap(names, path));
    addErrors(
      errors,
      errorsOf(names, (name, j) => {
        const problem = problemOfName(name, groupSuffix);
        return problem === undefined ? [] : [fieldError.invalid(`${path}[${j}]`, name, problem)];
      }),
    );
    if (providers.length === 0) errors.push(requiredError(providersPath, providersPath));
    addErrors(
      errors,
      errorsOf(providers, (provider, j) => validateProvider(provider, `${providersPath}[${j}]`)),
    );
    return errors;
  });
}

const requiredError = (path: string, what: string) => fieldError.required(path, `at least one ${what} is required`);

function validateOverlap(names: readonly string[], path: string): FieldError[] {
  if (names.length < 2) return [];
  const parsed = names.map(parseResource);
  const inGroup = new Map<string, number>();
  for (const { group } of parsed) inGroup.set(group, (inGroup.get(group) ?? 0) + 1);
  const overlaps = parsed.some(
    ({ group, resource }) => resource === '*' && (group === '*' || (inGroup.get(group) ?? 0) > 1),
  );
  // `secrets.` and `secrets` name the same resource, so the parsed names are compared.
  const distinct = new Set(parsed.map(({ group, resource }) => `${resource}.${group}`));
  const invalid = (detail: string) => fieldError.invalid(path, names, detail);
  return [
    ...(distinct.size < parsed.length ? [invalid('the same resource cannot be specified multiple times')] : []),
    ...(overlaps
      ? [
          invalid(
            "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked",
          ),
        ]
      : []),
  ];
}

function problemOfName(name: string, groupSuffix: string): string | undefined {
  const { group, resource } = parseResource(name);
  const events = `events.${groupSuffix}`;
  if (name.toLowerCase() !== name) return 'resource name should not contain capital letters';
  if (name === '*') return "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources";
  if (NOT_SERVED.has(name)) return 'resources which do not have REST API/s cannot be encrypted';
  if (group === events)
    return `'*.${events}' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file`;
  if (group === 'extensions') return "'extensions' group has been removed and cannot be used for encryption";
  if (group === '*' && resource !== '*') return 'encrypting the same resource across groups is not supported';
  return undefined;
}

function validateProvider(provider: DecodedProvider, path: string): FieldError[] {
  const present = PROVIDERS.filter(([name]) => provider[name] !== undefined);
  const errors: FieldError[] = [];
  if (present.length !== 1) {
    const detail =
      present.length === 0
        ? 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity'
        : 'more than one provider specified in a single element, should split into different list elements';
    errors.push(fieldError.invalid(path, printed(printProvider(provider)), detail));
  }
  const { kms, aesgcm, aescbc, secretbox } = provider;
  if (kms !== undefined) {
    const detail = 'there are no KMS providers in this server: use secretbox, aesgcm or aescbc';
    errors.push(fieldError.forbidden(`${path}.kms`, detail));
  } else if (aesgcm !== undefined) errors.push(...validateKeys(aesgcm.keys, `${path}.aesgcm.keys`, AES_KEY_SIZES));
  else if (aescbc !== undefined) errors.push(...validateKeys(aescbc.keys, `${path}.aescbc.keys`, AES_KEY_SIZES));
  else if (secretbox !== undefined)
    errors.push(...validateKeys(secretbox.keys, `${path}.secretbox.keys`, SECRETBOX_KEY_SIZES));
  return errors;
}

/** Prints a provider as Go prints its struct, whose members are pointers. */
function printProvider(provider: DecodedProvider): string {
  const members = PROVIDERS.map(
    ([name, field, type]) => `${field}:(*apiserver.${type})(${provider[name] === undefined ? 'nil' : ADDRESS})`,
  );
  return `apiserver.ProviderConfiguration{${members.join(', ')}}`;
}

function validateKeys(keys: readonly DecodedKey[] = [], path: string, sizes: readonly number[]): FieldError[] {
  if (keys.length === 0) return [requiredError(path, 'keys')];
  return errorsOf(keys, ({ name, secret }, i) => {
    const at = `${path}[${i}]`;
    return [
      ...(name === '' ? [fieldError.required(`${at}.name`, 'name is a mandatory field for a key')] : []),
      ...validateSecret(secret, `${at}.secret`, sizes),
    ];
  });
}

function validateSecret(secret: string, path: string, sizes: readonly number[]): FieldError[] {
  if (secret === '') return [fieldError.required(path, 'secret is a mandatory field for a key')];
  const canonical = canonicalBase64(secret);
  if (typeof canonical === 'number') return [fieldError.invalid(path, 'REDACTED', 'secrets must be base64 encoded')];
  const size = decodedLength(canonical);
  if (sizes.includes(size)) return [];
  const detail = `secret is not of the expected length, got ${size}, expected one of [${sizes.join(' ')}]`;
  return [fieldError.invalid(path, 'REDACTED', detail)];
}
