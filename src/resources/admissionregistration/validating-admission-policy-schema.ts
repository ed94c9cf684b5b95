import {
  always,
  listAtomic,
  listMap,
  type OutputOf,
  omitEmpty,
  omitNull,
  required,
  string,
  struct,
} from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { condition } from '../fragments/condition.js';
import { long, text } from '../fragments/core-struct.js';
import { byName, failurePolicy, matchConditions, matchResources, registrationName } from './match-schema.js';

const auditAnnotation = struct(registrationName('AuditAnnotation'), 'An annotation of audit events.', () => ({
  key: required(text, 1, 'The last part of its key; the name of the policy comes before it.'),
  valueExpression: required(text, 2, 'An expression of the value, a string; null for none.'),
}));
export type AuditAnnotation = OutputOf<typeof auditAnnotation>;
export const auditAnnotations = listAtomic(auditAnnotation);

const paramKind = struct(
  registrationName('ParamKind'),
  'The kind of the parameters.',
  () => ({
    apiVersion: omitEmpty(text, 1, 'Its group and version.'),
    kind: omitEmpty(text, 2, 'Its name.'),
  }),
  { mapType: 'atomic' },
);
export type ParamKind = OutputOf<typeof paramKind>;

const validation = struct(registrationName('Validation'), 'An expression that must hold.', () => ({
  expression: required(text, 1, 'The expression, a bool.'),
  message: omitEmpty(text, 2, 'What is said where it does not hold.'),
  reason: omitNull(string<string>({ typeName: 'v1.StatusReason' }), 3, 'The reason of the refusal; default Invalid.'),
  messageExpression: omitEmpty(text, 4, 'An expression of what is said, a string; preferred to the message.'),
}));
export type Validation = OutputOf<typeof validation>;

const variable = struct(
  registrationName('Variable'),
  'An expression with a name that later ones may use.',
  () => ({
    name: required(text, 1, 'The name: variables.name is the value.'),
    expression: required(text, 2, 'The expression.'),
  }),
  { mapType: 'atomic' },
);
export type Variable = OutputOf<typeof variable>;

const spec = struct(registrationName('ValidatingAdmissionPolicySpec'), 'What must hold of which requests.', () => ({
  paramKind: omitNull(paramKind, 1, 'The kind of the parameters, where it has any.'),
  matchConstraints: omitNull(matchResources, 2, 'The requests it can be about; bindings may choose among them.'),
  validations: omitEmpty(listAtomic(validation), 3, 'What must hold.'),
  failurePolicy: omitNull(failurePolicy, 4, 'What errors of expressions mean: Fail refuses, Ignore lets pass.'),
  auditAnnotations: omitEmpty(auditAnnotations, 5, 'Annotations of audit events.'),
  matchConditions: omitEmpty(matchConditions, 6, 'Expressions that must hold for the policy to be looked at.', byName),
  variables: omitEmpty(listMap(variable, ['name']), 7, 'Expressions that others may use.', byName),
}));

const expressionWarning = struct(registrationName('ExpressionWarning'), 'What is strange about an expression.', () => ({
  fieldRef: required(text, 2, 'Where the expression is.'),
  warning: required(text, 3, 'What the type checker says, by kind of object.'),
}));

const typeChecking = struct(registrationName('TypeChecking'), 'What the type checker found.', () => ({
  expressionWarnings: omitEmpty(listAtomic(expressionWarning), 1, 'A warning for each expression.'),
}));

const status = struct(
  registrationName('ValidatingAdmissionPolicyStatus'),
  'What was found out about a policy.',
  () => ({
    observedGeneration: omitEmpty(long, 1, 'The generation that was looked at.'),
    typeChecking: omitNull(typeChecking, 2, 'What the type checker found; absent until it has looked.'),
    conditions: omitEmpty(listMap(condition, ['type']), 3, 'The conditions.'),
  }),
);

export const validatingAdmissionPolicySchema = topLevel(
  registrationName('ValidatingAdmissionPolicy'),
  'What must hold of requests.',
  () => ({
    spec: always(spec, 2, 'What must hold of which requests.'),
    status: always(status, 3, 'What was found out about it.'),
  }),
);
export type ValidatingAdmissionPolicy = OutputOf<typeof validatingAdmissionPolicySchema>;
