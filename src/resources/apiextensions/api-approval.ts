import { citation, type Dialect } from '../../meta/dialect.js';
import { quote } from '../../values/quote.js';
import { parseReference } from '../../values/uri.js';

/** The approval state of a kind in a protected group. */
export interface ApiApproval {
  readonly state: 'approved' | 'bypassed' | 'missing' | 'invalid';
  /** The reason for `state`, as the message of an error or a condition. */
  readonly reason: string;
}

/** Returns the name of the annotation that approves kinds in protected groups. */
export const approvalAnnotation = (dialect: Dialect): string => `api-approved.${dialect.labelDomain}`;

/** Whether a group is protected, because it is in one of the API's own domains, such as `k8s.io`. */
export function isProtectedGroup(group: string, { groupSuffix, labelDomain }: Dialect): boolean {
  for (const domain of [groupSuffix, labelDomain]) if (group === domain || group.endsWith(`.${domain}`)) return true;
  return false;
}

/** Reads the approval from the annotations. */
export function approvalOf(annotations: Readonly<Record<string, string>> | undefined, dialect: Dialect): ApiApproval {
  const name = approvalAnnotation(dialect);
  const text = annotations?.[name] ?? '';
  const must = `protected groups must have approval annotation ${quote(name)}`;
  const see = citation(dialect, ', see https://github.com/kubernetes/enhancements/pull/1111');
  if (text === '') return { state: 'missing', reason: `${must}${see}` };
  if (text.startsWith('unapproved')) return { state: 'bypassed', reason: `not approved: ${quote(text)}` };
  if (isUrl(text)) return { state: 'approved', reason: `approved in ${text}` };
  return {
    state: 'invalid',
    reason: `${must} with either a URL or a reason starting with "unapproved"${see}`,
  };
}

function isUrl(text: string): boolean {
  const uri = parseReference(text);
  return typeof uri !== 'string' && uri.scheme !== '' && uri.host !== '';
}
