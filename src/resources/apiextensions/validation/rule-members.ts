import { type FieldError, fieldError } from '../../../meta/field-error.js';
import { followPath } from '../../../schema/field-path.js';
import type { JSONSchemaProps, ValidationRule } from '../json-schema-props.js';
import { belowProps } from './schema-parts.js';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const hasLineBreaks = (text: string): boolean => /[\n\r]/.test(text);

/** Returns the problems of a rule other than those of its expressions. @param schema the schema that contains the rule */
export function ruleProblems(validationRule: ValidationRule, schema: JSONSchemaProps, path: string): FieldError[] {
  const { rule, message = '', messageExpression = '', reason, fieldPath = '' } = validationRule;
  const errors: FieldError[] = [];
  const plain = message.trim();
  if (rule.trim() === '') errors.push(fieldError.required(`${path}.rule`, 'rule is not specified'));
  else if (message !== '' && plain === '')
    errors.push(fieldError.invalid(`${path}.message`, message, 'message must be non-empty if specified'));
  else if (hasLineBreaks(plain))
    errors.push(fieldError.invalid(`${path}.message`, message, 'message must not contain line breaks'));
  else if (hasLineBreaks(rule.trim()) && plain === '')
    errors.push(fieldError.required(`${path}.message`, 'message must be specified if rule contains line breaks'));
  if (messageExpression !== '' && messageExpression.trim() === '')
    errors.push(fieldError.required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified'));
  if (reason !== undefined && !REASONS.includes(reason))
    errors.push(fieldError.notSupported(`${path}.reason`, reason, REASONS));
  if (fieldPath === '') return errors;
  const wrong = (why: string) => void errors.push(fieldError.invalid(`${path}.fieldPath`, fieldPath, why));
  if (fieldPath.trim() === '') wrong('fieldPath must be non-empty if specified');
  if (hasLineBreaks(fieldPath)) wrong('fieldPath must not contain line breaks');
  if (typeof followPath(fieldPath, schema, belowProps) === 'string') wrong('fieldPath must be a valid path');
  return errors;
}
