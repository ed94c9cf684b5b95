import { type Dialect, domainName } from '../../meta/dialect.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';
import type { Draft } from '../../registry/strategy.js';
import { compileSelector } from '../../selectors/label-selector-object.js';
import { printedLabels, printedSelector } from '../shared/selected-pods.js';
import type { Job } from './batch-v1.types.js';

/** The names of the labels that identify the pods of a job: the two older ones and the two current ones. */
export interface JobLabels {
  readonly oldUid: string;
  readonly oldName: string;
  readonly uid: string;
  readonly name: string;
}

/** Returns the names of the labels. The current ones contain the label domain of the API dialect: `batch.kubernetes.io/job-name`. */
export function jobLabels(dialect: Dialect): JobLabels {
  const withDomain = (name: string) => `batch.${domainName(dialect, name)}`;
  return {
    oldUid: 'controller-uid',
    oldName: 'job-name',
    uid: withDomain('controller-uid'),
    name: withDomain('job-name'),
  };
}

/**
 * Adds labels with the uid and the name of a new job to its template, and selects the job's pods by the uid label. Labels that the author
 * has set in the template take precedence.
 */
export function generateSelector({ metadata, spec }: Draft<Job>, labels: JobLabels): void {
  if (spec.manualSelector === true) return;
  const { template } = spec;
  const { uid = '', name = '' } = metadata;
  const templateLabels = template.metadata.labels ?? {};
  const all = {
    [labels.oldName]: name,
    [labels.name]: name,
    [labels.oldUid]: uid,
    [labels.uid]: uid,
    ...templateLabels,
  };
  // If the job and its template share one labels object, the job gets the generated labels, too.
  if (metadata.labels !== undefined && metadata.labels === template.metadata.labels) metadata.labels = all;
  template.metadata.labels = all;
  spec.selector ??= {};
  spec.selector.matchLabels = { [labels.uid]: uid, ...spec.selector.matchLabels };
}

/**
 * Returns the validation errors of generated labels that the author has set to other values.
 * @param old the stored job. If its template lacks the current label names, they are not required.
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
