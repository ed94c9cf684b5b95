import { type Dialect, domainName } from '../../meta/dialect.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';
import type { Draft } from '../../registry/strategy.js';
import { compileSelector } from '../../selectors/label-selector-object.js';
import { printedLabels, printedSelector } from '../fragments/selected-pods.js';
import type { Job } from './batch-v1.types.js';

/** Labels by which the pods of a job are known, under their old and their present names. */
export interface JobLabels {
  readonly oldUid: string;
  readonly oldName: string;
  readonly uid: string;
  readonly name: string;
}

/** The labels as a dialect names them. */
export function jobLabels(dialect: Dialect): JobLabels {
  const prefixed = (name: string) => `batch.${domainName(dialect, name)}`;
  return {
    oldUid: 'controller-uid',
    oldName: 'job-name',
    uid: prefixed('controller-uid'),
    name: prefixed('job-name'),
  };
}

/** Labels the pods of a new job with its uid and name, and selects them by the uid; not what its author labels. */
export function generateSelector({ metadata, spec }: Draft<Job>, labels: JobLabels): void {
  if (spec.manualSelector === true) return;
  const { template } = spec;
  const { uid = '', name = '' } = metadata;
  const given = template.metadata.labels ?? {};
  const all = { [labels.oldName]: name, [labels.name]: name, [labels.oldUid]: uid, [labels.uid]: uid, ...given };
  // Labels that a job has from its template stay the same as the template's.
  if (metadata.labels !== undefined && metadata.labels === template.metadata.labels) metadata.labels = all;
  template.metadata.labels = all;
  spec.selector ??= {};
  spec.selector.matchLabels = { [labels.uid]: uid, ...spec.selector.matchLabels };
}

/**
 * Problems of generated labels that their author has set otherwise.
 * @param old as it was; jobs from before the present names need not have them
 */
export function validateGeneratedSelector({ metadata, spec }: Job, names: JobLabels, old?: Job): FieldError[] {
  const { selector, template, manualSelector } = spec;
  if (manualSelector === true || selector === undefined) return [];
  const { uid = '', name = '' } = metadata;
  const { labels } = template.metadata;
  const before = old?.spec.template.metadata.labels ?? {};
  const isOld = old !== undefined && !(Object.hasOwn(before, names.uid) && Object.hasOwn(before, names.name));
  const expected = {
    [names.oldUid]: uid,
    [names.oldName]: name,
    ...(isOld ? {} : { [names.uid]: uid, [names.name]: name }),
  };
  const errors = Object.entries(expected).flatMap(([key, value]): FieldError[] => {
    const path = `spec.template.metadata.labels[${key}]`;
    const why = `must be '${value}'`;
    if (labels === undefined || !Object.hasOwn(labels, key)) return [fieldError.required(path, why)];
    return labels[key] === value ? [] : [fieldError.invalid(path, printedLabels(labels), why)];
  });
  const compiled = compileSelector(selector);
  if (compiled && !compiled.matches(expected))
    errors.push(fieldError.invalid('spec.selector', printedSelector(selector), '`selector` not auto-generated'));
  return errors;
}
