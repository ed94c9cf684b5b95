import { jsonTypeName } from '../../json/number-text.js';
import { isJsonObject } from '../../json/value.js';
import { type Dialect, domainName } from '../../meta/dialect.js';
import { type FieldError, fieldError, isFull, printed } from '../../meta/field-error.js';
import { configMapKey, isConfigMapKey } from '../../meta/names.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import { keyPairProblem } from '../../pki/key-pair.js';
import { defineResource } from '../../registry/resource-definition.js';
import { parseJson } from '../../serialization/json/decode.js';
import { decodeBase64, decodeBase64Text, decodedLength, encodeBase64Text } from '../../values/base64.js';
import { messageOf } from '../../values/message-of.js';
import { sortTexts } from '../../values/sorted.js';
import { age, nameColumn } from '../shared/columns.js';
import { coreV1 } from './core-v1.js';
import type { Secret } from './core-v1.types.js';
import { immutableChanges } from './immutable-data.js';

const MAX_SIZE = 1024 * 1024;
const OPAQUE = 'Opaque';

/** v1 Secret: confidential data, with rules that depend on its type. */
export const secret = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  scope: 'Namespaced',
  schema: coreV1.struct('Secret'),
  setDefaults(draft) {
    if (draft.stringData) {
      const moved = Object.entries(draft.stringData).map(([key, text]) => [key, encodeBase64Text(text)] as const);
      draft.data = sortedByKey({ ...draft.data, ...Object.fromEntries(moved) });
      delete draft.stringData;
    }
    draft.type ??= OPAQUE;
  },
  strategy: {
    validate: (object, { host: { dialect } }) => validateSecret(object, dialect),
    validateUpdate: (next, old, { host: { dialect } }) => [
      ...(next.type === old.type ? [] : [fieldError.invalid('type', next.type, 'field is immutable')]),
      ...immutableChanges(next, old, ['data']),
      METADATA_CHECK,
      ...validateSecret(next, dialect),
    ],
    warnings: ({ type, data }, _old, { host: { dialect } }) => tlsWarnings(type, data ?? {}, dialect),
  },
  selectableFields: { type: ({ type }) => type },
  columns: [
    nameColumn,
    { name: 'Type', type: 'string', description: 'The purpose of the data.', cell: ({ type }) => type ?? '' },
    {
      name: 'Data',
      type: 'string',
      description: 'The number of keys.',
      cell: ({ data }) => Object.keys(data ?? {}).length,
    },
    age,
  ],
});

function sortedByKey(record: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function validateSecret({ data = {}, type, metadata }: Secret, dialect: Dialect): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  const keys = Object.keys(data);
  for (const key of sortTexts(keys.filter((key) => !isConfigMapKey(key)))) {
    if (isFull(errors)) break;
    for (const message of configMapKey(key)) errors.push(fieldError.invalid(`data[${key}]`, key, message));
  }
  for (const key of keys) size += decodedLength(data[key] ?? '');
  if (size > MAX_SIZE) errors.push(fieldError.tooLong('data', MAX_SIZE));
  const has = (key: string) => Object.hasOwn(data, key);
  const need = (...keys: string[]) => {
    for (const key of keys) if (!has(key)) errors.push(fieldError.required(`data[${key}]`));
  };
  switch (type) {
    case domainName(dialect, 'service-account-token'): {
      const annotation = domainName(dialect, 'service-account.name');
      if ((metadata.annotations?.[annotation] ?? '') === '')
        errors.push(fieldError.required(`metadata.annotations[${annotation}]`));
      break;
    }
    case domainName(dialect, 'basic-auth'):
      if (!has('username') && !has('password')) need('username', 'password');
      break;
    case domainName(dialect, 'ssh-auth'):
      if (decodedLength(data['ssh-privatekey'] ?? '') === 0) errors.push(fieldError.required('data[ssh-privatekey]'));
      break;
    case domainName(dialect, 'tls'):
      need('tls.crt', 'tls.key');
      break;
    case domainName(dialect, 'dockercfg'):
      errors.push(...jsonKey(data, '.dockercfg'));
      break;
    case domainName(dialect, 'dockerconfigjson'):
      errors.push(...jsonKey(data, '.dockerconfigjson'));
      break;
  }
  return errors;
}

/** Checks that the value of a key is a JSON object. Error messages do not contain the value. */
function jsonKey(data: Readonly<Record<string, string>>, key: string): FieldError[] {
  const path = `data[${key}]`;
  const value = data[key];
  if (value === undefined) return [fieldError.required(path)];
  try {
    const parsed = parseJson(decodeBase64(value)).value;
    if (parsed === null || isJsonObject(parsed)) return [];
    throw new TypeError(`json: cannot unmarshal ${jsonTypeName(parsed)} into Go value of type map[string]interface {}`);
  } catch (error) {
    const why = messageOf(error);
    return [fieldError.invalid(path, printed('"<secret contents redacted>"'), why)];
  }
}

/** Returns a warning if a certificate and its key do not match. */
function tlsWarnings(type: string | undefined, data: Readonly<Record<string, string>>, dialect: Dialect): string[] {
  if (type !== domainName(dialect, 'tls')) return [];
  const [certificate, key] = ['tls.crt', 'tls.key'].map((name) => decodeBase64Text(data[name] ?? ''));
  return [keyPairProblem(certificate ?? '', key ?? '')].flatMap((problem) => problem ?? []);
}
