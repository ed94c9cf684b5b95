import { expect, it } from 'vitest';
import type { AdmissionAttributes, AdmissionHost } from '../../../src/admission/admission-plugin.js';
import { namesRequest } from '../../../src/admission/matching/rule.js';
import type { ApiObject } from '../../../src/meta/object-meta.js';
import { podSecurity } from '../../../src/plugins/pod-security/pod-security.js';
import { fakeHost } from '../../support/hosts.js';

/*
 * Upstream's table of the audit annotations of admission: the labels of a namespace, the old and the new pod, and the annotations without
 * their domain; `refused` if the request is refused as well.
 */
const DOMAIN = 'pod-security.kubernetes.io/';
const EXEMPTIONS = { usernames: ['exempt'], namespaces: ['exempt-ns'], runtimeClasses: ['exempt-class'] };
type Spec = Readonly<Record<string, unknown>>;
const spec = (more: Spec = {}): Spec => ({ containers: [{ name: 'c', image: 'i' }], ...more });
const other = (image: string, more: Spec = {}) => spec({ containers: [{ name: 'c', image }], ...more });
const bad = { hostPID: true };
const VIOLATION = 'host namespaces (hostPID=true)';
const SECCOMP = 'container.seccomp.security.alpha.kubernetes.io/c';

interface Row {
  readonly labels?: Readonly<Record<string, string>>;
  readonly old?: Spec;
  readonly next: Spec;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly namespace?: string;
  readonly resource?: string;
  readonly expected: Readonly<Record<string, string>>;
}

function annotationsOf({ labels = {}, old, next, annotations = {}, user = 'u', namespace = 'n', resource }: Row) {
  const found: Record<string, string> = {};
  const metadata = {
    name: namespace,
    labels: Object.fromEntries(Object.entries(labels).map(([name, value]) => [DOMAIN + name, value])),
  };
  const lister = () => ({ get: () => ({ metadata }), list: () => [] });
  const plugin = podSecurity({ exemptions: EXEMPTIONS })({ ...fakeHost(), lister } as unknown as AdmissionHost);
  const asObject = (of: Spec | undefined, own: object = {}) =>
    of &&
    (resource === undefined
      ? { metadata: { name: 'p', ...own }, spec: of }
      : { metadata: {}, spec: { template: { spec: of } } });
  const group = resource === undefined ? '' : 'apps';
  const attributes = {
    operation: old ? 'UPDATE' : 'CREATE',
    resource: { group, version: 'v1', resource: resource ?? 'pods' },
    kind: { group, version: 'v1', kind: 'X' },
    subresource: '',
    namespace,
    name: 'p',
    user: { username: user },
    object: asObject(next, { annotations }),
    oldObject: asObject(old),
    warn: (text: string) => {
      found['warned'] = text.replace(/^.*?: /, '');
    },
    annotate: (key: string, value: string) => {
      found[key.replace(DOMAIN, '')] = value;
    },
  } as unknown as AdmissionAttributes<ApiObject>;
  expect(plugin.rules?.some((rule) => namesRequest(rule, attributes, attributes.resource))).toBe(true);
  try {
    plugin.validate?.(attributes);
  } catch (error) {
    found['refused'] = (error as Error).message.replace(/^.*?: violates PodSecurity /, '');
  }
  return found;
}

const BASELINE = { enforce: 'baseline' };
const AUDITED = `would violate PodSecurity "baseline:latest": ${VIOLATION}`;
const refusal = {
  'enforce-policy': 'baseline:latest',
  refused: `"baseline:latest": ${VIOLATION}`,
  'audit-violations': AUDITED,
};
it.each<[string, Row]>([
  ['nothing is asked', { next: spec(bad), expected: { 'enforce-policy': 'privileged:latest' } }],
  [
    'nothing is asked of an update',
    { old: spec(), next: spec(bad), expected: { 'enforce-policy': 'privileged:latest' } },
  ],
  [
    'an older release of nothing',
    {
      labels: { enforce: 'privileged', 'enforce-version': 'v1.20' },
      next: spec(),
      expected: { 'enforce-policy': 'privileged:latest' },
    },
  ],
  ['a refusal is audited, too, and not warned about', { labels: BASELINE, next: spec(bad), expected: refusal }],
  [
    'an update of no importance',
    { labels: BASELINE, old: spec(bad), next: spec({ ...bad, hostname: 'h' }), expected: {} },
  ],
  ['another image', { labels: BASELINE, old: other('a', bad), next: other('b', bad), expected: refusal }],
  [
    'another annotation of seccomp',
    { labels: BASELINE, old: spec(bad), next: spec(bad), annotations: { [SECCOMP]: 'x' }, expected: refusal },
  ],
  [
    'an ephemeral container more',
    {
      labels: BASELINE,
      old: spec(bad),
      next: spec({ ...bad, ephemeralContainers: [{ name: 'e', image: 'i' }] }),
      expected: refusal,
    },
  ],
  [
    'an ephemeral container less',
    {
      labels: BASELINE,
      old: spec({ ...bad, ephemeralContainers: [{ name: 'e', image: 'i' }] }),
      next: spec(bad),
      expected: {},
    },
  ],
  ['a user', { labels: BASELINE, user: 'exempt', next: spec(bad), expected: { exempt: 'user' } }],
  [
    'a user who changes nothing of importance',
    { labels: BASELINE, user: 'exempt', old: spec(), next: spec(), expected: { exempt: 'user' } },
  ],
  [
    'a namespace',
    { labels: BASELINE, namespace: 'exempt-ns', user: 'exempt', next: spec(bad), expected: { exempt: 'namespace' } },
  ],
  [
    'a class',
    {
      labels: BASELINE,
      next: spec({ ...bad, runtimeClassName: 'exempt-class' }),
      expected: { exempt: 'runtimeClass' },
    },
  ],
  [
    'a class where nothing is asked',
    { next: spec({ runtimeClassName: 'exempt-class' }), expected: { 'enforce-policy': 'privileged:latest' } },
  ],
  [
    'a template is warned about',
    {
      labels: BASELINE,
      resource: 'deployments',
      next: spec(bad),
      expected: { 'audit-violations': AUDITED, warned: VIOLATION },
    },
  ],
  [
    'a template of which nothing is asked',
    { resource: 'deployments', next: spec({ ...bad, runtimeClassName: 'exempt-class' }), expected: {} },
  ],
  [
    'labels that say nothing',
    {
      labels: { audit: 'strict' },
      next: spec(),
      expected: {
        'enforce-policy': 'privileged:latest',
        error:
          'Failed to parse policy: metadata.labels[pod-security.kubernetes.io/audit]: Invalid value: "strict": must be one of privileged, baseline, restricted',
      },
    },
  ],
])('%s', (_, row) => expect(annotationsOf(row)).toEqual(row.expected));
