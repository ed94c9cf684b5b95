import { type FieldError, fieldError } from '../../meta/field-error.js';
import { dns1123Subdomain, pathSegment } from '../../meta/names.js';

interface TypedReference {
  readonly apiGroup?: string | null;
  readonly kind: string;
  readonly name: string;
}

/** Returns the validation errors of a reference to an object of any kind. */
export function validateTypedReference({ apiGroup, kind, name }: TypedReference, path: string): FieldError[] {
  const ofGroup = apiGroup === undefined || apiGroup === null ? [] : dns1123Subdomain(apiGroup);
  return [
    ...ofGroup.map((message) => fieldError.invalid(`${path}.apiGroup`, apiGroup, message)),
    ...validateSegment(`${path}.kind`, kind, 'kind is required'),
    ...validateSegment(`${path}.name`, name, 'name is required'),
  ];
}

function validateSegment(path: string, value: string, missing: string): FieldError[] {
  if (value === '') return [fieldError.required(path, missing)];
  return pathSegment(value).map((message) => fieldError.invalid(path, value, message));
}
