import {
  bytes,
  listAtomic,
  listMap,
  type OutputOf,
  omitEmpty,
  omitNull,
  orNull,
  required,
  string,
  struct,
  type Typed,
} from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { count, text } from '../fragments/core-struct.js';
import { labelSelector } from '../fragments/label-selector.js';
import {
  byName,
  failurePolicy,
  matchConditions,
  matchPolicy,
  names,
  registrationName,
  ruleWithOperations,
} from './match-schema.js';

export const SIDE_EFFECTS = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];
export const REINVOCATION_POLICIES = ['IfNeeded', 'Never'];

const serviceReference = struct(registrationName('ServiceReference'), 'A service.', () => ({
  namespace: required(text, 1, 'The namespace of the service.'),
  name: required(text, 2, 'The name of the service.'),
  path: omitNull(text, 3, 'The path of the URL.'),
  port: omitNull(count, 4, 'The port; default 443.'),
}));

const webhookClientConfig = struct(
  registrationName('WebhookClientConfig'),
  'Where a webhook is: url or service.',
  () => ({
    url: omitNull(text, 3, 'Its URL, https.'),
    service: omitNull(serviceReference, 1, 'The service that it is.'),
    caBundle: omitEmpty(bytes(), 2, "The authorities, PEM, that its certificate may be of; default the system's."),
  }),
);

const sideEffects = string<string>({ enum: SIDE_EFFECTS, typeName: 'v1.SideEffectClass' });
const reinvocationPolicy = string<string>({ enum: REINVOCATION_POLICIES, typeName: 'v1.ReinvocationPolicyType' });

const firstFields = () => ({
  name: required(text, 1, 'The name, with at least three parts: imagepolicy.example.com.'),
  clientConfig: required(webhookClientConfig, 2, 'Where it is.'),
  rules: omitEmpty(listAtomic(ruleWithOperations), 3, 'Which requests it is asked about: one must match.'),
  failurePolicy: omitNull(failurePolicy, 4, 'What a failed call means: Fail refuses, Ignore lets pass.'),
  matchPolicy: omitNull(matchPolicy, 9, 'Exact, or Equivalent: other versions of the resource match, too.'),
  namespaceSelector: omitNull(labelSelector, 5, "Picks by the labels of the object's namespace."),
});
const middleFields = () => ({
  // A pointer that is always written; validation sees to it that there is one.
  sideEffects: orNull(sideEffects, 6, 'None or NoneOnDryRun: others are not asked about dry runs.', {
    required: true,
  }) as Typed<string>,
  timeoutSeconds: omitNull(count, 7, 'How long a call may take, 1 to 30; default 10.'),
  admissionReviewVersions: required(names, 8, 'Versions of AdmissionReview that it reads, the best first.'),
});
const OBJECT_SELECTOR = 'Picks by the labels of the object, new or old.';
const CONDITIONS = 'Expressions that must hold for it to be asked.';

const validatingWebhook = struct(registrationName('ValidatingWebhook'), 'A webhook that may refuse.', () => ({
  ...firstFields(),
  objectSelector: omitNull(labelSelector, 10, OBJECT_SELECTOR),
  ...middleFields(),
  matchConditions: omitEmpty(matchConditions, 11, CONDITIONS, byName),
}));

const mutatingWebhook = struct(registrationName('MutatingWebhook'), 'A webhook that may change the object.', () => ({
  ...firstFields(),
  objectSelector: omitNull(labelSelector, 11, OBJECT_SELECTOR),
  ...middleFields(),
  reinvocationPolicy: omitNull(reinvocationPolicy, 10, 'Whether it is asked again after others changed the object.'),
  matchConditions: omitEmpty(matchConditions, 12, CONDITIONS, byName),
}));

export const validatingWebhookConfigurationSchema = topLevel(
  registrationName('ValidatingWebhookConfiguration'),
  'Webhooks that may refuse writes.',
  () => ({ webhooks: omitEmpty(listMap(validatingWebhook, ['name']), 2, 'The webhooks.', byName) }),
);
export type ValidatingWebhookConfiguration = OutputOf<typeof validatingWebhookConfigurationSchema>;

export const mutatingWebhookConfigurationSchema = topLevel(
  registrationName('MutatingWebhookConfiguration'),
  'Webhooks that may change what is written.',
  () => ({ webhooks: omitEmpty(listMap(mutatingWebhook, ['name']), 2, 'The webhooks.', byName) }),
);
export type MutatingWebhookConfiguration = OutputOf<typeof mutatingWebhookConfigurationSchema>;

/** A webhook of either sort. */
export type Webhook = OutputOf<typeof validatingWebhook> & Pick<OutputOf<typeof mutatingWebhook>, 'reinvocationPolicy'>;
export type WebhookConfiguration = ValidatingWebhookConfiguration | MutatingWebhookConfiguration;
