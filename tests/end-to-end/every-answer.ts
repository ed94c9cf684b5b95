import fc from 'fast-check';
import type { ApiServer } from '../../src/api-server.js';
import type { AuditEvent } from '../../src/audit/audit-event.js';
import { loadClaimExpressions } from '../../src/authentication/jwt/claim-expressions.js';
import { loadMatchConditions } from '../../src/authorization/webhook/match-conditions.js';
import { run } from '../../src/cli/run.js';
import { listen } from '../../src/http/index.js';
import { type Dialect, dialectOf, groupOf } from '../../src/meta/dialect.js';
import { type ServedResource, serveResource } from '../../src/registry/served/served-resource.js';
import { builtinResources } from '../../src/resources/index.js';
import { messageOf } from '../../src/values/message-of.js';
import { keyOfKind, SAMPLES } from '../resources/kind-samples.js';
import { arbitraryValue } from '../support/arbitrary-value.js';
import { fetchFrom } from '../support/ask.js';
import { startServer } from '../support/servers.js';

/** A request and its result: the headers and body of the response, or a text of the program. */
export type Answers = ReadonlyMap<string, string>;

const ADMINISTRATOR = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };
const GATES = [
  ...['DynamicResourceAllocation', 'VolumeAttributesClass', 'MultiCIDRServiceAllocator', 'CoordinatedLeaderElection'],
  ...['StorageVersionAPI', 'APIServerIdentity', 'ClusterTrustBundle', 'AuthorizeWithSelectors'],
];

/** The names in samples are those of upstream. */
const inDialect = ({ groupSuffix, labelDomain, schemaExtensionPrefix }: Dialect, text: string): string =>
  text
    .replace(/\bk8s\.io\b/g, groupSuffix)
    .replace(/\bkubernetes\.io\b/g, labelDomain)
    .replaceAll('x-kubernetes-', schemaExtensionPrefix);

/** Sends all kinds of requests to a server of a dialect: it creates an object of every kind, and makes errors. */
export async function everyAnswer(name: Dialect['name']): Promise<Answers> {
  const dialect = dialectOf(name);
  const answers = new Map<string, string>();
  const events: AuditEvent[] = [];
  await using server = await startServer({
    dialect: name,
    runtimeConfig: { 'api/all': 'true' },
    featureGates: Object.fromEntries(GATES.map((gate) => [gate, true])),
    limits: { priorityAndFairness: true },
    metrics: true,
    audit: {
      policy: { rules: [{ level: 'RequestResponse' }] },
      sinks: [{ mode: 'blocking', write: (records) => void events.push(...records.map(({ event }) => event)) }],
    },
  });
  await server.settle();

  let user: typeof ADMINISTRATOR | undefined = ADMINISTRATOR;
  async function ask(method: string, path: string, body?: object | string, headers: Record<string, string> = {}) {
    const answer = await fetchFrom(server, path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body,
      user,
    });
    const text = await answer.text();
    const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`;
    const question = [method, path, ...Object.values(headers)].join(' ') + sent;
    answers.set(`${answers.size} ${question}`, `${answer.status} ${JSON.stringify([...answer.headers])} ${text}`);
    return { status: answer.status, value: text.startsWith('{') ? JSON.parse(text) : {} };
  }
  const get = (path: string, accept = 'application/json') => ask('GET', path, undefined, { accept });
  const walk: Walk = { dialect, server, ask, get, become: (another) => void (user = another) };

  await readObjects(walk);
  await createEveryKind(walk);
  await makeMistakes(walk);
  await misuseExpressions(walk);
  for (const [expression, message] of await misuseConfigured(dialect)) answers.set(expression, message);
  await readDocuments(walk);
  await get('/metrics', 'text/plain');

  for (const [index, event] of events.entries()) {
    // The bodies of requests are checked as well.
    const { requestObject: _request, responseObject: _response, requestURI: _uri, ...rest } = event;
    answers.set(`audit event ${index} of ${event.requestURI}`, JSON.stringify(rest));
  }
  const listener = await listen(server, { port: 0 });
  answers.set('kubeconfig', await listener.kubeconfig());
  await listener.close({ graceMilliseconds: 0 });
  for (const [text, answer] of await readProgram(dialect)) answers.set(text, answer);
  return answers;
}

/** The output of a program that ends at once. */
async function readProgram({ name }: Dialect): Promise<Answers> {
  const texts = new Map<string, string>();
  const audit = ['--audit-log-path=/none', '--audit-webhook-config-file=/none'];
  for (const flags of [
    ['--help'],
    ['--version'],
    [...audit, '--audit-log-version=v2', '--audit-webhook-version=v2'],
    ['--kubernetes-service-node-port=-1'],
    ['--kubernetes-service-node-port=1'],
    ['--service-account-issuer=a:b', '--service-account-max-token-expiration=1s'],
  ]) {
    let text = '';
    const out = { write: (part: string) => (text += part) };
    await run([`--dialect=${name}`, ...flags], { stdout: out, stderr: out, signal: AbortSignal.abort() });
    texts.set(flags.join(' '), text);
  }
  return texts;
}

interface Walk {
  readonly dialect: Dialect;
  readonly server: ApiServer;
  ask(method: string, path: string, body?: object | string, headers?: Record<string, string>): Promise<Answer>;
  get(path: string, accept?: string): Promise<Answer>;
  become(user: typeof ADMINISTRATOR | undefined): void;
}
interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  readonly value: any;
}

const TABLE = (dialect: Dialect) => `application/json;as=Table;g=${groupOf(dialect, 'meta')};v=v1`;

/** Requests the server's discovery documents. */
async function readDocuments({ dialect, get }: Walk): Promise<void> {
  for (const path of [
    ...['/', '/version', '/healthz?verbose', '/livez?verbose', '/readyz?verbose', '/openapi/v2', '/no/such/path'],
    ...['/.well-known/openid-configuration', '/openid/v1/jwks', '/debug/api_priority_and_fairness/dump_requests'],
  ])
    await get(path);
  const { value } = await get('/openapi/v3');
  for (const path of Object.keys(value.paths)) await get(`/openapi/v3/${path}`);
  const aggregated = `application/json;g=${groupOf(dialect, 'apidiscovery')};v=v2;as=APIGroupDiscoveryList`;
  for (const path of ['/api', '/apis']) for (const accept of ['application/json', aggregated]) await get(path, accept);
}

/** Requests every object of every resource, as an object and as a table. */
async function readObjects({ dialect, get }: Walk): Promise<void> {
  for (const root of await groupVersions(get)) {
    const { value } = await get(root);
    for (const { name, verbs } of value.resources as { name: string; verbs: string[] }[]) {
      if (!verbs.includes('list')) continue;
      await get(`${root}/${name}`);
      await get(`${root}/${name}`, TABLE(dialect));
    }
  }
}

async function groupVersions(get: Walk['get']): Promise<readonly string[]> {
  const { value } = await get('/apis');
  const groups = value.groups as { versions: { groupVersion: string }[] }[];
  return ['/api/v1', ...groups.flatMap(({ versions }) => versions.map((each) => `/apis/${each.groupVersion}`))];
}

const rootOf = ({ gvr: { group, version } }: ServedResource) => `/${group === '' ? 'api' : `apis/${group}`}/${version}`;

/** Creates a sample of each kind in each version, then invalid objects. */
async function createEveryKind(walk: Walk): Promise<void> {
  const { dialect, ask, get } = walk;
  const served = builtinResources.map((definition) => serveResource(definition, dialect));
  for (const kind of served) {
    const { definition, gvr, gvk, apiVersion, namespaced } = kind;
    const collection = `${rootOf(kind)}${namespaced ? '/namespaces/default' : ''}/${gvr.resource}`;
    const own = { apiVersion, kind: gvk.kind };
    const text = JSON.stringify(SAMPLES[keyOfKind(definition)]?.object ?? {});
    const sample = JSON.parse(inDialect(dialect, text));
    const path = `${collection}/${sample.metadata?.name ?? 'none'}`;
    const post = (body: object, query = '') => ask('POST', `${collection}${query}`, { ...own, ...body });
    await post(sample);
    await post(sample);
    await get(path);
    await get(path, TABLE(dialect));
    await get(`${collection}/none`);
    await get(collection, 'text/html');
    await get(`${collection}?fieldSelector=no.such=field&limit=x`);
    await post({ kind: 'Pod' === gvk.kind ? 'Node' : 'Pod', apiVersion: 'v1' });
    await post({ kind: 'NoKind' });
    await post({ apiVersion: 'no.example.com/v1' });
    await post({ metadata: { name: 'Wrong_Name', labels: { '-': '!' }, finalizers: ['x'] } });
    await post({ ...sample, unknown: 1, metadata: { ...sample.metadata, labels: 1 } }, '?fieldValidation=Strict');
    await ask('POST', collection, 'no json');
    await ask('POST', collection, sample, { 'content-type': 'text/plain' });
    await ask('PUT', path, { ...own, ...sample, metadata: { ...sample.metadata, resourceVersion: '1' } });
    await ask('PUT', path, { ...own, ...sample, metadata: { name: 'another' } });
    for (const type of ['json-patch', 'merge-patch', 'strategic-merge-patch', 'apply-patch'])
      await ask('PATCH', `${path}?fieldManager=m`, [{ op: 'test', path: '/a' }], {
        'content-type': `application/${type}+${type.startsWith('apply') ? 'yaml' : 'json'}`,
      });
    await ask(
      'PATCH',
      `${path}?fieldManager=m`,
      { ...own, ...sample, metadata: { labels: { a: 'b' } } },
      {
        'content-type': 'application/apply-patch+yaml',
      },
    );
    for (const part of Object.keys(definition.subresources ?? {})) {
      await get(`${path}/${part}`);
      await ask('PUT', `${path}/${part}`, { kind: 'Status', apiVersion: 'v1' });
      await ask('POST', `${path}/${part}`, { kind: 'Status', apiVersion: 'v1' });
    }
    const values = fc.sample(arbitraryValue(definition.schema), { numRuns: 6, seed: 7 });
    for (const value of values) await post({ ...(value as object), metadata: { name: 'any' } }, '?dryRun=All');
    await ask('DELETE', path, { kind: 'Pod', apiVersion: 'v1' });
    await ask('DELETE', `${path}?dryRun=All`, { kind: 'DeleteOptions', apiVersion: 'v2', propagationPolicy: 'x' });
    await ask('DELETE', `${path}?dryRun=All`, { propagationPolicy: 'x' });
    await ask('DELETE', path, { gracePeriodSeconds: 0 });
  }
}

const POD = { metadata: { name: 'warned' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const job = (spec: object) => ({
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } }, ...spec },
});
const CRON = { schedule: 'CRON_TZ=UTC * * * * *', jobTemplate: job({}) };

/** Requests that are refused, or cause a warning, with messages of their own. */
async function makeMistakes({ dialect, server, ask, become }: Walk): Promise<void> {
  const core = '/api/v1';
  const apis = (stem: string) => `/apis/${groupOf(dialect, stem)}`;
  const volume = (more: object) => ({ ...POD, spec: { ...POD.spec, volumes: [{ name: 'v', ...more }] } });
  const definition = {
    metadata: { name: `things.a.${dialect.groupSuffix}` },
    spec: {
      group: `a.${dialect.groupSuffix}`,
      scope: 'Cluster',
      names: { plural: 'things', kind: 'Thing' },
      versions: [],
    },
  };
  const domains = [dialect.labelDomain, dialect.bareDomain].map((domain) => [`a.${domain}/x`, 'y']);
  for (const [path, body] of [
    [`${core}/nodes`, { metadata: { name: 'n' }, spec: { externalID: 'x', configSource: {} } }],
    [
      `${core}/namespaces/default/services`,
      { metadata: { name: 's' }, spec: { ports: [{ port: 10250 }], type: 'LoadBalancer', externalIPs: ['01.2.3.4'] } },
    ],
    [
      `${core}/namespaces/default/services`,
      { metadata: { name: 's' }, spec: { ports: [{ port: 80 }], externalIPs: ['::ffff:1.2.3.4'] } },
    ],
    [
      `${core}/namespaces/default/pods`,
      volume({ flexVolume: { driver: 'a/b', options: Object.fromEntries(domains) } }),
    ],
    [`${core}/namespaces/default/pods`, volume({ gitRepo: { repository: 'r' } })],
    ['/apis/batch/v1/namespaces/default/cronjobs', { metadata: { name: 'c' }, spec: { ...CRON, timeZone: 'UTC' } }],
    ['/apis/batch/v1/namespaces/default/cronjobs', { metadata: { name: 'c' }, spec: CRON }],
    [
      '/apis/batch/v1/namespaces/default/jobs',
      { metadata: { name: 'j' }, ...job({ completionMode: 'Indexed', completions: 200_000, parallelism: 20_000 }) },
    ],
    [`${apis('apiregistration')}/v1/apiservices`, { metadata: { name: 'v2.' }, spec: { version: 'v2', group: '' } }],
    [`${apis('apiextensions')}/v1/customresourcedefinitions`, definition],
    [`${apis('authentication')}/v1/tokenreviews`, { spec: { token: 'e30.e30.e30' } }],
    [`${apis('authorization')}/v1/selfsubjectrulesreviews`, { spec: { namespace: 'default' } }],
    [
      `${apis('certificates')}/v1/certificatesigningrequests`,
      {
        metadata: { name: 'c' },
        spec: { request: 'AA==', signerName: `${dialect.labelDomain}/legacy-unknown`, usages: ['any'] },
      },
    ],
  ] as const)
    await ask('POST', `${path}?dryRun=All`, body);
  const [definitions, name] = [`${apis('apiextensions')}/v1/customresourcedefinitions`, definition.metadata.name];
  const schema = { openAPIV3Schema: { type: 'object' } };
  await ask('POST', definitions, {
    metadata: { name, annotations: { [`api-approved.${dialect.labelDomain}`]: 'unapproved' } },
    spec: { ...definition.spec, versions: [{ name: 'v1', served: true, storage: true, schema }] },
  });
  await server.settle();
  await ask('GET', `${definitions}/${name}`);
  become(undefined);
  await ask('GET', '/api/v1/pods');
  await ask('GET', '/api/v1/pods', undefined, { authorization: 'Bearer e30.e30.e30' });
  become(ADMINISTRATOR);
}

/** Every type of expressions, where another one is required. */
const MISFITS = [
  ...['authorizer', 'authorizer.requestResource', "authorizer.path('/a')", "authorizer.group('a')", 'variables'],
  ...["authorizer.group('a').resource('b')", "authorizer.group('a').resource('b').check('get')", 'request'],
  ...['request.kind', 'request.resource', 'request.userInfo', 'namespaceObject', 'namespaceObject.metadata'],
  ...['namespaceObject.spec', 'namespaceObject.status', 'namespaceObject.status.conditions[0]'],
];
const LIBRARY_VALUES = [
  "quantity('1')",
  "url('https://a')",
  "ip('1.2.3.4')",
  "cidr('10.0.0.0/8')",
  'format.dns1123Label()',
];

async function misuseExpressions({ dialect, server, ask, get }: Walk): Promise<void> {
  const admission = `/apis/${groupOf(dialect, 'admissionregistration')}/v1`;
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
  const failing = MISFITS.slice(0, 7).map((value) => `int(dyn(${value})) == 1`);
  const policy = (name: string, expressions: readonly string[]) => ({
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [rule] },
      variables: [{ name: 'v', expression: '1' }],
      validations: expressions.map((expression) => ({ expression })),
      auditAnnotations: [{ key: 'k', valueExpression: "'said'" }],
    },
  });
  const policies = `${admission}/validatingadmissionpolicies`;
  const all = [...MISFITS, ...LIBRARY_VALUES];
  await ask('POST', policies, policy('misfits', [...all, ...all.map((value) => `${value} == 1`)]));
  for (const [index, expression] of failing.entries()) {
    await ask('POST', policies, policy(`failing-${index}`, [expression]));
    await ask('POST', `${admission}/validatingadmissionpolicybindings`, {
      metadata: { name: `failing-${index}` },
      spec: { policyName: `failing-${index}`, validationActions: ['Warn', 'Audit'] },
    });
  }
  await server.settle();
  await ask('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'judged' } });
  await get(policies);
  await ask('POST', `${admission}/validatingwebhookconfigurations`, {
    metadata: { name: 'misfits' },
    webhooks: MISFITS.map((expression, index) => ({
      name: 'a.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { url: 'https://127.0.0.1:1' },
      rules: [rule],
      matchConditions: [{ name: `m${index}`, expression }],
    })),
  });
  await ask('POST', `/apis/${groupOf(dialect, 'resource')}/v1alpha3/deviceclasses?dryRun=All`, {
    metadata: { name: 'misfits' },
    spec: {
      selectors: ['device', "device.capacity['a'].b", "semver('1.2.3')"].map((value) => ({
        cel: { expression: `${value} == 1` },
      })),
    },
  });

  const definition = (plural: string, rules: readonly string[]) => ({
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural, kind: plural },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              [`${dialect.schemaExtensionPrefix}validations`]: rules.map((each) => ({ rule: each })),
            },
          },
        },
      ],
    },
  });
  const definitions = `/apis/${groupOf(dialect, 'apiextensions')}/v1/customresourcedefinitions`;
  await ask(
    'POST',
    definitions,
    definition(
      'misfits',
      LIBRARY_VALUES.flatMap((value) => [value, `${value} == 1`]),
    ),
  );
  const failures = LIBRARY_VALUES.flatMap((value) => [`int(dyn(${value})) == 1`, `dyn(${value})[0] == 1`]);
  await ask('POST', definitions, definition('failures', failures));
  await server.settle();
  await ask('POST', '/apis/example.com/v1/failures', {
    apiVersion: 'example.com/v1',
    kind: 'failures',
    metadata: { name: 'a' },
  });
}

/** Messages about expressions in the program's files. */
async function misuseConfigured(dialect: Dialect): Promise<Answers> {
  const { userRule } = await loadClaimExpressions(dialect);
  const conditions = await loadMatchConditions(dialect, true);
  const messages = new Map<string, string>();
  const misuse = (expression: string, compile: (expression: string) => unknown) => {
    try {
      compile(expression);
    } catch (error) {
      messages.set(expression, messageOf(error));
    }
  };
  misuse('user == 1', userRule);
  const attributes = ['', '.resourceAttributes', '.nonResourceAttributes', '.resourceAttributes.fieldSelector'];
  const selectors = ['.resourceAttributes.labelSelector', '.resourceAttributes.labelSelector.requirements[0]'];
  for (const member of [...attributes, ...selectors])
    misuse(`request${member} == 1`, (expression) => conditions([expression]));
  return messages;
}
