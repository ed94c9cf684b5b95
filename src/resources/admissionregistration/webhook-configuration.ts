import { equalJson } from '../../json/equal.js';
import { errorsOf, type FieldError, fieldError } from '../../meta/field-error.js';
import { dns1035Label, dns1123Subdomain } from '../../meta/names.js';
import type { Draft, StrategyContext } from '../../registry/strategy.js';
import { validateLabelSelector } from '../../selectors/label-selector-object.js';
import { age, nameColumn } from '../shared/columns.js';
import { validateOptional } from '../shared/value-rules.js';
import { webhookServiceProblems, webhookUrlProblems } from '../shared/webhook-client.js';
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from './admissionregistration-v1.types.js';
import { expressionsOf, validateMatchConditions } from './expression-rules.js';
import { setWebhookMatchDefaults } from './match-defaults.js';
import { FAILURE_POLICIES, MATCH_POLICIES, oneOfSupported, validateRule } from './rule-validation.js';

/** The members of the kind definition that ValidatingWebhookConfiguration and MutatingWebhookConfiguration share. */
export const webhookConfiguration = {
  groupStem: 'admissionregistration',
  version: 'v1',
  categories: ['api-extensions'],
  scope: 'Cluster',
  tracksGeneration: true,
  allowUnconditionalUpdate: false,
  genericMetadata: true,
  metadataChecks: ['whole'],
  strategy: {
    validate: (object: WebhookConfiguration, context: StrategyContext) => validateWebhooks(object, context),
    validateUpdate: (object: WebhookConfiguration, old: WebhookConfiguration, context: StrategyContext) =>
      validateWebhooks(object, context, old),
  },
  columns: [
    nameColumn,
    {
      name: 'Webhooks',
      type: 'integer',
      description: 'The number of webhooks.',
      cell: ({ webhooks = [] }: WebhookConfiguration) => webhooks.length,
    },
    age,
  ],
} as const;

const WITHOUT_EFFECTS = ['None', 'NoneOnDryRun'];
const REVIEW_VERSIONS = ['v1', 'v1beta1'];
const MAX_TIMEOUT = 30;

/** Sets the defaults of a validating or mutating webhook. */
export function setWebhookDefaults(hook: Draft<Webhook>): void {
  hook.failurePolicy ??= 'Fail';
  hook.timeoutSeconds ??= 10;
  setWebhookMatchDefaults(hook);
  if (hook.clientConfig.service) hook.clientConfig.service.port ??= 443;
}

/** The checks that an update skips because the stored configuration already fails them. Otherwise an unrelated change would be refused. */
interface Leniency {
  readonly sideEffects: boolean;
  readonly reviewVersions: boolean;
  readonly names: boolean;
  readonly labelValues: boolean;
  readonly conditions: boolean;
}
const STRICT: Leniency = {
  sideEffects: false,
  reviewVersions: false,
  names: false,
  labelValues: false,
  conditions: false,
};

/** Returns the validation errors of the webhooks of a configuration. */
async function validateWebhooks(
  { webhooks = [] }: WebhookConfiguration,
  { host }: StrategyContext,
  old?: WebhookConfiguration,
): Promise<FieldError[]> {
  const lenient = old ? leniencyOf(webhooks, old.webhooks ?? []) : STRICT;
  const before = new Set((old?.webhooks ?? []).flatMap(({ matchConditions }) => expressionsOf(matchConditions)));
  const errors: FieldError[] = [];
  const names = new Set<string>();
  const work = {};
  for (const [i, hook] of webhooks.entries()) {
    const path = `webhooks[${i}]`;
    errors.push(...validateWebhook(hook, path, lenient));
    if (!lenient.conditions)
      errors.push(
        ...(await validateMatchConditions(hook.matchConditions ?? [], `${path}.matchConditions`, {
          host,
          params: false,
          before,
          work,
        })),
      );
    errors.push(
      ...validateReviewVersions(hook.admissionReviewVersions ?? [], `${path}.admissionReviewVersions`, lenient),
    );
    if (!lenient.names && names.has(hook.name)) errors.push(fieldError.duplicate(`${path}.name`, hook.name));
    if (hook.name !== '') names.add(hook.name);
  }
  return errors;
}

function leniencyOf(next: readonly Webhook[], old: readonly Webhook[]): Leniency {
  const isKnown = (versions: readonly string[]) =>
    versions.length === 0 || versions.some((version) => REVIEW_VERSIONS.includes(version));
  return {
    sideEffects: old.some(({ sideEffects }) => !WITHOUT_EFFECTS.includes(sideEffects)),
    reviewVersions: old.some(({ admissionReviewVersions }) => !isKnown(admissionReviewVersions ?? [])),
    names: new Set(old.map(({ name }) => name)).size < old.length,
    labelValues: old.some((hook) => validateSelectors(hook, '', false).length > 0),
    conditions:
      next.length === old.length &&
      next.every(({ matchConditions = [] }, i) => equalJson(matchConditions, old[i]?.matchConditions ?? [])),
  };
}

function validateWebhook(hook: Webhook, path: string, lenient: Leniency): FieldError[] {
  const { timeoutSeconds: timeout } = hook;
  const errors = [
    ...validateName(hook.name, `${path}.name`),
    ...errorsOf(hook.rules ?? [], (rule, i) => validateRule(rule, `${path}.rules[${i}]`)),
    ...oneOfSupported(`${path}.failurePolicy`, hook.failurePolicy, FAILURE_POLICIES),
    ...oneOfSupported(`${path}.matchPolicy`, hook.matchPolicy, MATCH_POLICIES),
    ...validateSideEffects(
      hook.sideEffects,
      `${path}.sideEffects`,
      lenient.sideEffects ? SIDE_EFFECTS : WITHOUT_EFFECTS,
    ),
  ];
  if (timeout !== undefined && (timeout < 1 || timeout > MAX_TIMEOUT)) {
    const why = `the timeout value must be between 1 and ${MAX_TIMEOUT} seconds`;
    errors.push(fieldError.invalid(`${path}.timeoutSeconds`, timeout, why));
  }
  return [
    ...errors,
    ...validateSelectors(hook, path, lenient.labelValues),
    ...oneOfSupported(`${path}.reinvocationPolicy`, hook.reinvocationPolicy, REINVOCATION_POLICIES),
    ...validateClient(hook.clientConfig, `${path}.clientConfig`),
  ];
}

/** Checks that a name is a domain name with at least three parts. */
function validateName(name: string, path: string): FieldError[] {
  if (name === '') return [fieldError.required(path)];
  const problems = dns1123Subdomain(name);
  if (problems.length > 0) return [fieldError.invalid(path, name, problems.join(','))];
  if (name.split('.').length >= 3) return [];
  return [fieldError.invalid(path, name, 'should be a domain with at least three segments separated by dots')];
}

function validateSideEffects(value: string | null, path: string, allowed: readonly string[]): FieldError[] {
  if (value === null) return [fieldError.required(path, `must specify one of ${allowed.join(', ')}`)];
  return oneOfSupported(path, value, allowed);
}

function validateSelectors(
  { namespaceSelector, objectSelector }: Webhook,
  path: string,
  anyValues: boolean,
): FieldError[] {
  return [
    ...(namespaceSelector ? validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`, { anyValues }) : []),
    ...(objectSelector ? validateLabelSelector(objectSelector, `${path}.objectSelector`, { anyValues }) : []),
  ];
}

function validateClient({ url, service }: Webhook['clientConfig'], path: string): FieldError[] {
  if ((url === undefined) === (service === undefined))
    return [fieldError.required(path, 'exactly one of url or service is required')];
  if (service) return webhookServiceProblems(`${path}.service`, service);
  return webhookUrlProblems(`${path}.url`, url ?? '');
}

function validateReviewVersions(versions: readonly string[], path: string, lenient: Leniency): FieldError[] {
  const known = REVIEW_VERSIONS.join(', ');
  if (versions.length === 0) return [fieldError.required(path, `must specify one of ${known}`)];
  const seen = new Set<string>();
  const errors = errorsOf(versions, (version, i) => {
    const at = `${path}[${i}]`;
    if (seen.has(version)) return [fieldError.invalid(at, version, 'duplicate version')];
    seen.add(version);
    return version === ''
      ? dns1035Label('').map((why) => fieldError.invalid(at, '', why))
      : validateOptional(at, version, dns1035Label);
  });
  if (!lenient.reviewVersions && !versions.some((version) => REVIEW_VERSIONS.includes(version)))
    errors.push(fieldError.invalid(path, versions, `must include at least one of ${known}`));
  return errors;
}

const SIDE_EFFECTS = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];
const REINVOCATION_POLICIES = ['IfNeeded', 'Never'];

/** A validating or mutating webhook. */
type Webhook = ValidatingWebhook & Pick<MutatingWebhook, 'reinvocationPolicy'>;
type WebhookConfiguration = ValidatingWebhookConfiguration | MutatingWebhookConfiguration;
