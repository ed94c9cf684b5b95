import { DecodeError } from '../json/decode-error.js';
import { isJsonObject } from '../json/value.js';
import type { Dialect } from '../meta/dialect.js';
import { type FieldError, fieldError, formatFieldErrors } from '../meta/field-error.js';
import { dns1123Subdomain } from '../meta/names.js';
import { readTypeMeta } from '../meta/type-meta.js';
import {
  always,
  boolean,
  list,
  type OutputOf,
  omitEmpty,
  omitNull,
  string,
  struct,
  structSchema,
} from '../schema/authoring.js';
import { ConfigurationError, decodeConfiguration } from '../schema/configuration/decode-configuration.js';
import { objectMeta } from '../schema/object-meta-schema.js';
import { quote } from '../values/quote.js';
import { AUDIT_LEVELS, AUDIT_STAGES, type AuditLevel, type AuditStage } from './audit-event.js';

/** Resources of one group that a rule applies to; absent or empty members match all. */
export interface AuditedResources {
  /** The API group. Default: the core group. */
  readonly group?: string;
  /**
   * Names of resources: `pods`, `pods/log`, `pods/*` (pods and all their subresources), `*` + `/status` (the status of all resources), `*`.
   */
  readonly resources?: readonly string[];
  /** The names of the objects that match. Default: all objects. */
  readonly resourceNames?: readonly string[];
}

/** A rule; the first one that matches a request decides. Absent or empty members match all requests. */
export interface AuditRule {
  /** The level of the events of matching requests. */
  readonly level: AuditLevel;
  /** The names of the users whose requests match. */
  readonly users?: readonly string[];
  /** The groups whose members match. A user matches who is a member of one of them. */
  readonly userGroups?: readonly string[];
  /** The verbs that match, such as `create`. */
  readonly verbs?: readonly string[];
  /** The resources that match. */
  readonly resources?: readonly AuditedResources[];
  /** Namespaces; '' matches objects without a namespace. */
  readonly namespaces?: readonly string[];
  /** Paths; a `*` at the end matches any suffix. */
  readonly nonResourceURLs?: readonly string[];
  /** Stages without events, in addition to those of the policy. */
  readonly omitStages?: readonly AuditStage[];
  /** Whether managedFields are left out. Default: the policy's setting. */
  readonly omitManagedFields?: boolean;
}

/** The content of `--audit-policy-file` (spec 23.1). Requests that no rule matches have no events. */
export interface AuditPolicy {
  /** The API version of policies. It may be absent in the library; a policy file must have it. */
  readonly apiVersion?: string;
  /** The kind of policies. It may be absent in the library; a policy file must have it. */
  readonly kind?: 'Policy';
  /** Metadata, which has no effect. */
  readonly metadata?: object;
  /** The rules in order: the first one that matches a request decides about its events. */
  readonly rules: readonly AuditRule[];
  /** The stages of all requests at which no events are recorded. Default: none. */
  readonly omitStages?: readonly AuditStage[];
  /** Whether objects in events lack `metadata.managedFields`. Default false. */
  readonly omitManagedFields?: boolean;
}

const KIND = 'Policy';
/** The other kinds of the group. */
const OTHER_KINDS: readonly string[] = ['Event', 'EventList', 'PolicyList'];
const texts = () => omitEmpty(list(string()));

const resources = struct('io.k8s.audit.v1.GroupResources', '', () => ({
  group: omitEmpty(string()),
  resources: texts(),
  resourceNames: texts(),
}));
const rule = struct('io.k8s.audit.v1.PolicyRule', '', () => ({
  level: always(string({ typeName: 'v1.Level' })),
  users: texts(),
  userGroups: texts(),
  verbs: texts(),
  resources: omitEmpty(list(resources)),
  namespaces: texts(),
  nonResourceURLs: texts(),
  omitStages: omitEmpty(list(string({ typeName: 'v1.Stage' }))),
  omitManagedFields: omitNull(boolean()),
}));
const policy = struct('io.k8s.audit.v1.Policy', '', () => ({
  metadata: omitNull(objectMeta),
  rules: omitEmpty(list(rule)),
  omitStages: omitEmpty(list(string({ typeName: 'v1.Stage' }))),
  omitManagedFields: omitEmpty(boolean()),
}));
const policySchema = structSchema(policy);

type DecodedPolicy = OutputOf<typeof policy>;
type DecodedRule = OutputOf<typeof rule>;

export interface ReadPolicyOptions {
  /** Whether `apiVersion` and `kind` are required, as in a file. Default false. */
  readonly typed?: boolean;
  /** The errors found while the text was parsed, such as duplicate keys. */
  readonly problems?: readonly string[];
  /** Called with an error about unknown members. If `warn` is given, the unknown members are ignored; otherwise they are refused. */
  readonly warn?: (problem: string) => void;
}

/**
 * Checks a policy.
 * @returns the policy without unknown members.
 * @throws ConfigurationError with the message of kube-apiserver.
 */
export function readAuditPolicy(value: unknown, dialect: Dialect, options: ReadPolicyOptions = {}): AuditPolicy {
  const decoded = decode(value, dialect, options);
  const errors = [
    ...validateStages(decoded.omitStages, 'omitStages'),
    ...(decoded.rules ?? []).flatMap((each, i) => validateRule(each, `rules[${i}]`)),
  ];
  if (errors.length > 0) throw new ConfigurationError(formatFieldErrors(errors));
  if ((decoded.rules ?? []).length === 0) throw new ConfigurationError('loaded illegal policy with 0 rules');
  return decoded as AuditPolicy; // The levels and stages are checked above, so the cast is safe.
}

function decode(value: unknown, { groupSuffix }: Dialect, options: ReadPolicyOptions): DecodedPolicy {
  const { typed = false, problems = [], warn } = options;
  const group = `audit.${groupSuffix}`;
  const named = typed ? decoding(() => withDefaultType(value, group)) : value;
  if (named === undefined)
    throw new ConfigurationError(`unknown group version field ${group}/__internal, Kind=Policy in policy`);
  const known = [{ group: 'audit', version: 'v1', kind: KIND }];
  const other = isJsonObject(named) && named['apiVersion'] === `${group}/v1` ? String(named['kind']) : '';
  if (OTHER_KINDS.includes(other))
    throw new ConfigurationError(`failed decoding: converting (v1.${other}) to (audit.Policy): unknown conversion`);
  const lenient = warn
    ? { warn: (problem: string) => warn(`Audit policy contains errors, falling back to lenient decoding: ${problem}`) }
    : {};
  const decoded = decoding(() =>
    decodeConfiguration(
      named,
      { kind: KIND, known, schema: policySchema },
      { groupSuffix, untyped: !typed, problems, ...lenient },
    ),
  );
  return decoded as DecodedPolicy; // The schema describes the members of DecodedPolicy, so the cast is safe.
}

/**
 * Adds the kind to the policy of a file that has none, as upstream does.
 * @returns undefined for a policy without `apiVersion`, which upstream reads as one of its internal version.
 */
function withDefaultType(value: unknown, group: string): unknown {
  if (!isJsonObject(value)) return value;
  const { apiVersion, kind } = readTypeMeta(value);
  if (apiVersion !== '') return kind === '' ? { ...value, kind: KIND } : value;
  if (kind === '' || kind === KIND) return undefined;
  throw new ConfigurationError(
    `no kind ${quote(kind)} is registered for the internal version of group ${quote(group)}`,
  );
}

function decoding<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof DecodeError)
      throw new ConfigurationError(`failed decoding: ${error.message}`, { cause: error });
    throw error;
  }
}

function validateRule(policyRule: DecodedRule, path: string): FieldError[] {
  const { level, nonResourceURLs = [], resources: groups = [], namespaces = [], omitStages } = policyRule;
  const errors = [
    ...validateLevel(level, `${path}.level`),
    ...nonResourceURLs.flatMap((url, i) => validateUrl(url, `${path}.nonResourceURLs[${i}]`)),
    ...groups.flatMap((each) => validateResources(each, `${path}.resources`)),
    ...validateStages(omitStages, `${path}.omitStages`),
  ];
  if (nonResourceURLs.length > 0 && (groups.length > 0 || namespaces.length > 0))
    errors.push(
      fieldError.invalid(
        `${path}.nonResourceURLs`,
        nonResourceURLs,
        'rules cannot apply to both regular resources and non-resource URLs',
      ),
    );
  return errors;
}

function validateLevel(level: string, path: string): FieldError[] {
  if (level === '') return [fieldError.required(path)];
  return AUDIT_LEVELS.includes(level as AuditLevel) ? [] : [fieldError.notSupported(path, level, AUDIT_LEVELS)];
}

function validateUrl(url: string, path: string): FieldError[] {
  if (url === '*') return [];
  const errors: FieldError[] = [];
  if (!url.startsWith('/'))
    errors.push(fieldError.invalid(path, url, "non-resource URL rules must begin with a '/' character"));
  if (url.slice(0, -1).includes('*'))
    errors.push(
      fieldError.invalid(path, url, "non-resource URL wildcards '*' must be the final character of the rule"),
    );
  return errors;
}

function validateResources({ group = '', resources: names = [], resourceNames = [] }: AuditedResources, path: string) {
  const errors: FieldError[] = [];
  // '' is the core group, which is valid.
  const problems = group === '' ? [] : dns1123Subdomain(group);
  if (problems.length > 0) errors.push(fieldError.invalid(`${path}.group`, group, problems.join(',')));
  if (resourceNames.length > 0 && names.length === 0)
    errors.push(
      fieldError.invalid(`${path}.resourceNames`, resourceNames, 'using resourceNames requires at least one resource'),
    );
  return errors;
}

function validateStages(stages: readonly string[] = [], path: string): FieldError[] {
  return stages.flatMap((stage, i) =>
    AUDIT_STAGES.includes(stage as AuditStage)
      ? []
      : [fieldError.invalid(`${path}[${i}]`, stage, `allowed stages are ${AUDIT_STAGES.join(',')}`)],
  );
}
