import { errorsOf, type FieldError, fieldError } from '../../../meta/field-error.js';
import { configMapKey, qualifiedName, type Validator } from '../../../meta/names.js';
import { checked, named } from '../../fragments/value-rules.js';
import type { Container } from './pod-container.js';

type Variable = NonNullable<Container['env']>[number];
type Source = NonNullable<Variable['valueFrom']>;

const NAME_PATTERN = '[-._a-zA-Z][-._a-zA-Z0-9]*';
const NAME_REGEX = new RegExp(`^${NAME_PATTERN}$`);

/** The name of a variable. */
const variableName: Validator = (name) => {
  const problems: string[] = [];
  if (!NAME_REGEX.test(name))
    problems.push(
      "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not " +
        `start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '${NAME_PATTERN}')`,
    );
  if (name === '.' || name === '..') problems.push(`must not be '${name}'`);
  else if (name.startsWith('..')) problems.push("must not start with '..'");
  return problems;
};

/** Fields of a pod that a variable can show. */
const FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
const SUBSCRIPT = /^(metadata\.(?:annotations|labels))\['(.*)'\]$/;

const sourcesOf = (source: object) => Object.keys(source).length;

export function validateVariables(path: string, variables: readonly Variable[]): FieldError[] {
  return errorsOf(variables, ({ name, value = '', valueFrom }, i) => {
    const at = `${path}[${i}]`;
    const errors = named(`${at}.name`, name, variableName);
    return valueFrom ? [...errors, ...validateSource(`${at}.valueFrom`, valueFrom, value)] : errors;
  });
}

function validateSource(path: string, source: Source, value: string): FieldError[] {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = source;
  const errors: FieldError[] = [];
  if (fieldRef) errors.push(...validateFieldPath(`${path}.fieldRef`, fieldRef));
  if (resourceFieldRef && resourceFieldRef.resource === '')
    errors.push(fieldError.required(`${path}.resourceFieldRef.resource`));
  if (configMapKeyRef) errors.push(...named(`${path}.configMapKeyRef.key`, configMapKeyRef.key, configMapKey));
  if (secretKeyRef) errors.push(...named(`${path}.secretKeyRef.key`, secretKeyRef.key, configMapKey));
  const count = sourcesOf(source);
  if (count === 0)
    errors.push(
      fieldError.invalid(
        path,
        '',
        'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
      ),
    );
  else if (value !== '') errors.push(fieldError.invalid(path, '', 'may not be specified when `value` is not empty'));
  else if (count > 1) errors.push(fieldError.invalid(path, '', 'may not have more than one field specified at a time'));
  return errors;
}

function validateFieldPath(path: string, { fieldPath }: NonNullable<Source['fieldRef']>): FieldError[] {
  if (fieldPath === '') return [fieldError.required(`${path}.fieldPath`)];
  const [, map, key] = SUBSCRIPT.exec(fieldPath) ?? [];
  if (map !== undefined && key !== undefined) {
    const name = map.endsWith('annotations') ? key.toLowerCase() : key;
    return qualifiedName(name).map((message) => fieldError.invalid(path, key, message));
  }
  return FIELDS.includes(fieldPath) ? [] : [fieldError.notSupported(`${path}.fieldPath`, fieldPath, FIELDS)];
}

export function validateVariableSources(path: string, sources: NonNullable<Container['envFrom']>): FieldError[] {
  return errorsOf(sources, ({ prefix, ...refs }, i) => {
    const at = `${path}[${i}]`;
    const errors = checked(`${at}.prefix`, prefix, variableName);
    for (const [field, ref] of Object.entries(refs))
      if ((ref.name ?? '') === '') errors.push(fieldError.required(`${at}.${field}.name`));
    const count = sourcesOf(refs);
    if (count === 0) errors.push(fieldError.invalid(at, '', 'must specify one of: `configMapRef` or `secretRef`'));
    if (count > 1) errors.push(fieldError.invalid(at, '', 'may not have more than one field specified at a time'));
    return errors;
  });
}
