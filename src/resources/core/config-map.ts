import { namesOf } from '../../json/members.js';
import { type FieldError, fieldError, isFull } from '../../meta/field-error.js';
import { configMapKey, isConfigMapKey } from '../../meta/names.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import { defineResource } from '../../registry/resource-definition.js';
import { decodedLength } from '../../values/base64.js';
import { sortTexts } from '../../values/sorted.js';
import { areLongerThan } from '../../values/utf8.js';
import { age, nameColumn } from '../shared/columns.js';
import { coreV1 } from './core-v1.js';
import { immutableChanges } from './immutable-data.js';

// Maximum total size in bytes of all values of a ConfigMap. Keys are not counted.
const MAX_SIZE = 1024 * 1024;

/** v1 ConfigMap: configuration that is not confidential, as strings and as bytes. */
export const configMap = defineResource({
  groupStem: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  shortNames: ['cm'],
  scope: 'Namespaced',
  schema: coreV1.struct('ConfigMap'),
  strategy: {
    validate: ({ data, binaryData }) => validateData(data ?? {}, binaryData ?? {}),
    validateUpdate: (next, old) => [
      ...immutableChanges(next, old, ['data', 'binaryData']),
      METADATA_CHECK,
      ...validateData(next.data ?? {}, next.binaryData ?? {}),
    ],
  },
  columns: [
    nameColumn,
    {
      name: 'Data',
      type: 'string',
      description: 'The number of keys.',
      cell: ({ data, binaryData }) => Object.keys(data ?? {}).length + Object.keys(binaryData ?? {}).length,
    },
    age,
  ],
});

function validateData(
  data: Readonly<Record<string, string>>,
  binaryData: Readonly<Record<string, string>>,
): FieldError[] {
  const errors: FieldError[] = [];
  let binarySize = 0;
  const wrong: string[] = [];
  const texts: string[] = [];
  for (const key of namesOf(data)) {
    if (!isConfigMapKey(key) || Object.hasOwn(binaryData, key)) wrong.push(key);
    texts.push(data[key] ?? '');
  }
  for (const key of sortTexts(wrong)) {
    if (isFull(errors)) break;
    for (const message of configMapKey(key)) errors.push(fieldError.invalid(`data[${key}]`, key, message));
    if (Object.hasOwn(binaryData, key))
      errors.push(fieldError.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'));
  }
  const binaryKeys = namesOf(binaryData);
  for (const key of sortTexts(binaryKeys.filter((key) => !isConfigMapKey(key)))) {
    if (isFull(errors)) break;
    for (const message of configMapKey(key)) errors.push(fieldError.invalid(`binaryData[${key}]`, key, message));
  }
  for (const key of binaryKeys) binarySize += decodedLength(binaryData[key] ?? '');
  if (areLongerThan(texts, MAX_SIZE - binarySize)) errors.push(fieldError.tooLong('[]', MAX_SIZE));
  return errors;
}
