import { quote } from '../values/quote.js';
import { type FieldError, fieldError, isFull, type Printed, printed } from './field-error.js';
import { parseGroupVersion } from './group-version.js';
import type { ObjectMeta, OwnerReference } from './object-meta.js';

/** Returns the owner that controls an object. */
export const controllerOf = ({ ownerReferences }: Pick<ObjectMeta, 'ownerReferences'>): OwnerReference | undefined =>
  ownerReferences?.find(({ controller }) => controller === true);

/** Returns the errors of an object's owner references (spec 2.11). Paths have no index, as in the API's messages. */
export function validateOwnerReferences(references: readonly OwnerReference[] | undefined, path: string): FieldError[] {
  if (references === undefined || references.length === 0) return [];
  const errors: FieldError[] = [];
  let controller: OwnerReference | undefined;
  let all: Printed | undefined;
  for (const reference of references) {
    if (isFull(errors)) break;
    errors.push(...validateOwnerReference(reference, path));
    if (reference.controller !== true) continue;
    if (controller === undefined) controller = reference;
    else {
      const owners = [controller, reference].map(({ kind = '', name = '' }) => `${kind}/${name}`).join(' and ');
      const why = `Only one reference can have Controller set to true. Found "true" in references for ${owners}`;
      all ??= printReferences(references);
      errors.push(fieldError.invalid(path, all, why));
    }
  }
  return errors;
}

function validateOwnerReference(reference: OwnerReference, path: string): FieldError[] {
  const { apiVersion = '', kind = '', name = '', uid = '' } = reference;
  const errors: FieldError[] = [];
  const groupVersion = parseGroupVersion(apiVersion) ?? { group: '', version: '' };
  if (groupVersion.version === '')
    errors.push(fieldError.invalid(`${path}.apiVersion`, apiVersion, 'version must not be empty'));
  if (kind === '') errors.push(fieldError.invalid(`${path}.kind`, kind, 'kind must not be empty'));
  if (name === '') errors.push(fieldError.invalid(`${path}.name`, name, 'name must not be empty'));
  if (uid === '') errors.push(fieldError.invalid(`${path}.uid`, uid, 'uid must not be empty'));
  if (kind === 'Event' && groupVersion.group === '' && groupVersion.version === 'v1') {
    const why = '/v1, Kind=Event is disallowed from being an owner';
    errors.push(fieldError.invalid(path, printed(printReference(reference)), why));
  }
  return errors;
}

// The maximum number of characters of the printed list. It is limited because every error about a second controller repeats the whole list.
const MAX_PRINTED = 16_384;

function printReferences(references: readonly OwnerReference[]): Printed {
  let text = '';
  for (const reference of references) {
    if (text.length > MAX_PRINTED) break;
    text += `${text === '' ? '' : ', '}${printReference(reference)}`;
  }
  return printed(`[]v1.OwnerReference{${text.length > MAX_PRINTED ? `${text.slice(0, MAX_PRINTED)}, ...` : text}}`);
}

function printReference({
  apiVersion = '',
  kind = '',
  name = '',
  uid = '',
  controller,
  blockOwnerDeletion,
}: OwnerReference): string {
  const texts = `APIVersion:${quote(apiVersion)}, Kind:${quote(kind)}, Name:${quote(name)}, UID:${quote(uid)}`;
  return `v1.OwnerReference{${texts}, Controller:${printPointer(controller)}, BlockOwnerDeletion:${printPointer(blockOwnerDeletion)}}`;
}

// Upstream prints the address of a pointer, so its output differs from run to run. This function prints a constant instead.
function printPointer(value: boolean | undefined): string {
  return value === undefined ? '(*bool)(nil)' : '(*bool)(0xc000000000)';
}
