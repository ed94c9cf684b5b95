import type { Dialect } from '../../meta/dialect.js';
import { type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { dns1123Subdomain } from '../../meta/names.js';
import type { WebhookConnection } from '../../outbound/review-webhook.js';
import { formatDuration, parseDuration } from '../../values/duration.js';
import { messageOf } from '../../values/message-of.js';
import { quote } from '../../values/quote.js';
import { trimSpace } from '../../values/trim-space.js';
import type { CompileConditions } from './match-conditions.js';
import type { DecodedAuthorizationConfiguration, DecodedWebhook } from './webhook-configuration.js';

const MAX_CONDITIONS = 64;
const MAX_TIMEOUT = 30_000_000_000n;
const VERSIONS = ['v1', 'v1beta1'];
const POLICIES = ['NoOpinion', 'Deny'];
const CONNECTIONS = ['InClusterConfig', 'KubeConfigFile'];

/** Returns the connection for the kubeconfig at a path, or the reason why the kubeconfig cannot be used; undefined for an unknown path. */
export type ConnectionOf = (path: string) => WebhookConnection | string | undefined;

export interface AuthorizationRules {
  readonly dialect: Dialect;
  readonly connectionOf: ConnectionOf;
  readonly compile: CompileConditions;
}

/**
 * Returns the errors of a configuration, in upstream's order and words (spec 12.13). As in upstream, the path of a field of `webhook` does
 * not contain `webhook`: `authorizers[0].timeout`.
 */
export function validateAuthorization(
  { authorizers = [] }: DecodedAuthorizationConfiguration,
  rules: AuthorizationRules,
): FieldError[] {
  if (authorizers.length === 0)
    return [fieldError.required('authorizers', 'at least one authorization mode must be defined')];
  const known = [...rules.dialect.rulings.configurableAuthorizers].sort();
  const types = new Set<string>();
  const names = new Set<string>();
  const errors: FieldError[] = [];
  for (const [i, { type, name, webhook }] of authorizers.entries()) {
    const path = `authorizers[${i}]`;
    const typeProblem = validateType(type, `${path}.type`, known, types);
    if (typeProblem) {
      errors.push(typeProblem);
      continue;
    }
    types.add(type);
    errors.push(...validateName(name, `${path}.name`, names));
    names.add(name);
    if (type !== 'Webhook') {
      if (webhook)
        errors.push(fieldError.invalid(`${path}.webhook`, 'non-null', 'may only be specified when type=Webhook'));
    } else if (webhook) errors.push(...validateWebhook(webhook, path, rules));
    else errors.push(fieldError.required(`${path}.webhook`, 'required when type=Webhook'));
  }
  return errors;
}

function validateType(
  type: string,
  path: string,
  known: readonly string[],
  before: ReadonlySet<string>,
): FieldError | undefined {
  if (type === '') return fieldError.required(path);
  if (!known.includes(type)) return fieldError.notSupported(path, type, known);
  return before.has(type) && type !== 'Webhook' ? fieldError.duplicate(path, type) : undefined;
}

function validateName(name: string, path: string, before: ReadonlySet<string>): FieldError[] {
  if (name === '') return [fieldError.required(path)];
  if (before.has(name)) return [fieldError.duplicate(path, name)];
  const problems = dns1123Subdomain(name);
  if (problems.length === 0) return [];
  return [fieldError.invalid(path, name, `authorizer name is invalid: ${problems.join(', ')}`)];
}

function validateWebhook(webhook: DecodedWebhook, path: string, rules: AuthorizationRules): FieldError[] {
  const { subjectAccessReviewVersion: version, failurePolicy } = webhook;
  return [
    ...validateTimeout(webhook.timeout, `${path}.timeout`),
    ...validateLifetime(webhook.authorizedTTL, `${path}.authorizedTTL`),
    ...validateLifetime(webhook.unauthorizedTTL, `${path}.unauthorizedTTL`),
    ...validateChoice(version, `${path}.subjectAccessReviewVersion`, VERSIONS),
    ...validateConditionVersion(webhook, `${path}.matchConditionSubjectAccessReviewVersion`, rules.dialect),
    ...validateChoice(failurePolicy, `${path}.failurePolicy`, POLICIES),
    ...validateConnection(webhook.connectionInfo, `${path}.connectionInfo`, rules.connectionOf),
    ...validateConditions(webhook.matchConditions ?? [], `${path}.matchConditions`, rules.compile),
  ];
}

/** Returns a duration in nanoseconds; 0 if it is absent. Invalid durations were refused when the configuration was read. */
const nanoseconds = (text = '0') => parseDuration(text);

function validateTimeout(text: string | undefined, path: string): FieldError[] {
  const timeout = nanoseconds(text);
  if (timeout === 0n) return [fieldError.required(path)];
  if (timeout > 0n && timeout <= MAX_TIMEOUT) return [];
  return [fieldError.invalid(path, formatDuration(timeout), 'must be > 0s and <= 30s')];
}

function validateLifetime(text: string | undefined, path: string): FieldError[] {
  const lifetime = nanoseconds(text);
  return lifetime < 0n ? [fieldError.invalid(path, formatDuration(lifetime), 'must be > 0s')] : [];
}

function validateChoice(value: string, path: string, choices: readonly string[]): FieldError[] {
  if (value === '') return [fieldError.required(path)];
  return choices.includes(value) ? [] : [fieldError.notSupported(path, value, choices)];
}

function validateConditionVersion(webhook: DecodedWebhook, path: string, { rulings }: Dialect): FieldError[] {
  const { matchConditionSubjectAccessReviewVersion: version, matchConditions = [] } = webhook;
  if (version === 'v1') return [];
  if (version !== '') return [fieldError.notSupported(path, version, ['v1'])];
  if (matchConditions.length > 0) return [fieldError.required(path, 'required if match conditions are specified')];
  return rulings.matchConditionVersionRequired === 'always' ? [fieldError.required(path)] : [];
}

function validateConnection(
  { type, kubeConfigFile }: DecodedWebhook['connectionInfo'],
  path: string,
  connectionOf: ConnectionOf,
): FieldError[] {
  const at = `${path}.kubeConfigFile`;
  if (type === '') return [fieldError.required(`${path}.type`)];
  if (!CONNECTIONS.includes(type)) {
    // Upstream prints the Go struct, in which the file is a pointer with an address that means nothing.
    const pointer = kubeConfigFile === undefined ? 'nil' : '0xc000000000';
    const whole = printed(`apiserver.WebhookConnectionInfo{Type:${quote(type)}, KubeConfigFile:(*string)(${pointer})}`);
    return [fieldError.notSupported(`${path}.type`, whole, CONNECTIONS)];
  }
  if (type === 'InClusterConfig') {
    if (kubeConfigFile !== undefined)
      return [fieldError.invalid(at, kubeConfigFile, 'can only be set when type=KubeConfigFile')];
    return [fieldError.invalid(`${path}.type`, type, 'cannot be used by a server that runs in no cluster')];
  }
  if (kubeConfigFile === undefined || kubeConfigFile === '') return [fieldError.required(at)];
  if (!/^(?:\/|[A-Za-z]:[\\/])/.test(kubeConfigFile))
    return [fieldError.invalid(at, kubeConfigFile, 'must be an absolute path')];
  const connection = connectionOf(kubeConfigFile) ?? 'error loading file: no connection is given for it';
  return typeof connection === 'string' ? [fieldError.invalid(at, kubeConfigFile, connection)] : [];
}

function validateConditions(
  conditions: NonNullable<DecodedWebhook['matchConditions']>,
  path: string,
  compile: CompileConditions,
): FieldError[] {
  if (conditions.length > MAX_CONDITIONS) return [fieldError.tooMany(path, conditions.length, MAX_CONDITIONS)];
  const before = new Set<string>();
  return conditions.flatMap(({ expression }, i) => {
    const at = `${path}[${i}].expression`;
    if (trimSpace(expression) === '') return [fieldError.required(at)];
    if (before.has(expression)) return [fieldError.duplicate(at, expression)];
    before.add(expression);
    try {
      compile([expression]);
      return [];
    } catch (error) {
      return [fieldError.invalid(at, expression, messageOf(error))];
    }
  });
}
