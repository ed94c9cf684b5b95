import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdmissionAttributes } from '../../../src/admission/admission-plugin.js';
import type { ApiServer } from '../../../src/api-server.js';
import type { AuditEvent } from '../../../src/audit/audit-event.js';
import type { AuthorizationAttributes } from '../../../src/authorization/authorizer.js';
import { equalJson } from '../../../src/json/equal.js';
import type { JsonValue } from '../../../src/json/value.js';
import { dialectOf } from '../../../src/meta/dialect.js';
import type { ApiObject } from '../../../src/meta/object-meta.js';
import { memory } from '../../../src/store/memory.js';
import type { StorageFactory } from '../../../src/store/storage-factory.js';
import { type RequestLog, recordRequests } from '../../../src/testing/index.js';
import { makeRequest } from '../../pki/make-request.js';
import { ask } from '../../support/ask.js';
import { propertyRuns } from '../../support/property-runs.js';
import { allowing, everybodyIs, startServer } from '../../support/servers.js';
import { type Sample, samples } from '../bodies/mutation-bodies.js';
import { randomOf } from '../bodies/mutations.js';
import { NAMESPACES, type RandomRequest, randomRequest } from './random-requests.js';

/*
 * Random requests of every kind. The authorizers, admission, audit events and the log of requests must all describe the change that the
 * storage really made, and a refused request must not change anything. The environment variables ITERATIONS and SEED select more and other
 * requests.
 */
const ITERATIONS = Number(process.env['ITERATIONS'] ?? propertyRuns(3000));
const SEED = Number(process.env['SEED'] ?? 1);

interface Change {
  readonly outcome: 'created' | 'updated' | 'deleted';
  readonly before: ApiObject | undefined;
  readonly object: ApiObject;
}

let server: ApiServer;
let log: RequestLog;
let all: readonly Sample[];
let decide: (count: number) => boolean = () => true;
/** What each observer saw of the current request. */
let asked: { readonly attributes: AuthorizationAttributes; readonly allowed: boolean }[] = [];
let admitted: AdmissionAttributes[] = [];
let events: AuditEvent[] = [];
let changes: Change[] = [];

/** The storage in memory, which records what it commits. */
const recordingStorage: StorageFactory = async (wiring) => {
  const storage = await memory()(wiring);
  const update = storage.guaranteedUpdate.bind(storage);
  storage.guaranteedUpdate = async (key, tryUpdate, options) => {
    const before = storage.get(key)?.value as ApiObject | undefined;
    const result = await update(key, tryUpdate, options);
    const { outcome, entry } = result;
    // The server stores only API objects, so the cast is safe.
    if (outcome !== 'unchanged' && entry) changes.push({ outcome, before, object: entry.value as ApiObject });
    return result;
  };
  return storage;
};

beforeAll(async () => {
  all = samples(dialectOf('k8s'), Buffer.from((await makeRequest()).pem).toString('base64'));
  server = await startServer({
    dialect: 'k8s',
    storage: recordingStorage,
    authentication: [everybodyIs({ username: 'bob' })],
    authorization: [
      allowing((attributes) => {
        const allowed = decide(asked.length);
        asked.push({ attributes, allowed });
        return allowed;
      }),
    ],
    admission: (defaults) => [
      ...defaults,
      () => ({ name: 'observer', connects: true, validate: (attributes) => void admitted.push(attributes) }),
    ],
    audit: {
      policy: { rules: [{ level: 'RequestResponse' }] },
      sinks: [{ mode: 'blocking', write: (records) => void events.push(...records.map(({ event }) => event)) }],
    },
    controllers: { definitions: [], mode: 'stepped' },
  });
  for (const name of NAMESPACES) {
    if (name !== 'default')
      await ask(server, { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name } } });
    const path = `/api/v1/namespaces/${name}/serviceaccounts`;
    await ask(server, { method: 'POST', path, body: { metadata: { name: 'default' } } });
  }
  await server.settle();
  log = recordRequests(server, { limit: 10 });
});
afterAll(() => server.close());

/** Returns the resource of a stored object: that of the sample with its kind. */
function resourceOf({ apiVersion = '', kind = '' }: ApiObject): string | undefined {
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  const sample = all.find(({ body }) => body['kind'] === kind && String(body['apiVersion']).startsWith(group ?? ''));
  return sample?.collection.split('/').at(-1);
}

/** The verbs that may have an outcome. The last write of an object that is being deleted removes it. */
const VERBS = {
  created: ['create', 'update', 'patch'],
  updated: ['update', 'patch', 'delete', 'deletecollection', 'create'],
  deleted: ['delete', 'deletecollection', 'update', 'patch', 'create'],
};

/** Upstream has written the object when it finds out that the response cannot have the requested form. */
const WRITTEN_BEFORE_REFUSAL = /is not a list|Unable to convert to Table/;

/** Returns every disagreement of the observers about one request. */
function disagreements(request: RandomRequest, status: number, text: string): string[] {
  const found: string[] = [];
  const must = (holds: boolean, problem: string) => void (holds || found.push(problem));
  const main = asked.find(({ attributes }) => attributes.verb !== 'impersonate');
  const { attributes } = main ?? {};
  if (changes.length > 0) {
    must(!request.isDryRun, 'a dry run has changed an object');
    must(main?.allowed === true, 'a change without permission');
    const partly = attributes?.verb === 'deletecollection' || WRITTEN_BEFORE_REFUSAL.test(text);
    must(status < 400 || partly, 'a refused request has changed an object');
  }
  if (!attributes?.resourceRequest) return found;
  must(main?.allowed === true || status >= 400, 'a success without permission');
  for (const change of changes) found.push(...disagreementsOnChange(attributes, change));
  const event = events.find(({ stage }) => stage === 'ResponseComplete' || stage === 'ResponseStarted');
  const { verb, resource, subresource, group } = attributes;
  const reference = event?.objectRef ?? {};
  must(event?.verb === verb, `the audit event has the verb ${event?.verb}`);
  must((event?.impersonatedUser ?? event?.user)?.username === attributes.user.username, 'the audit event: the user');
  must((reference.resource ?? '') === resource, 'the audit event: the resource');
  must((reference.subresource ?? '') === subresource, 'the audit event: the subresource');
  must((reference.apiGroup ?? '') === group, 'the audit event: the group');
  must(attributes.name === '' || reference.name === attributes.name, 'the audit event: the name');
  // As in upstream, the event of an object without a namespace has the namespace that the body names.
  must(attributes.namespace === '' || reference.namespace === attributes.namespace, 'the audit event: the namespace');
  const recorded = [...log].at(-1);
  must(recorded?.verb === verb && recorded.resource === resource, 'the log: the verb or the resource');
  must(recorded?.subresource === subresource && recorded.group === group, 'the log: the subresource or the group');
  must(recorded?.namespace === attributes.namespace, 'the log: the namespace');
  must(recorded?.user.username === attributes.user.username, 'the log: the user');
  must(recorded?.status === status, `the log: the status ${recorded?.status}`);
  for (const { outcome, before, object } of changes) {
    const isThis = (logged: { readonly before: ApiObject | undefined; readonly after: ApiObject | undefined }) =>
      outcome === 'deleted'
        ? logged.before?.metadata.uid === object.metadata.uid && !logged.after
        : logged.after === object;
    must(recorded?.changes.some(isThis) ?? false, `the log lacks that ${object.metadata.name} was ${outcome}`);
    must(before === undefined || outcome !== 'created', 'an object was created twice');
  }
  return found;
}

function disagreementsOnChange(attributes: AuthorizationAttributes, { outcome, before, object }: Change): string[] {
  const { verb, resource, subresource, namespace, name, group } = attributes;
  const { metadata } = object;
  const isWhole = verb === 'deletecollection';
  // A Binding is created, but the pod changes. Both API groups of events have the same objects.
  const isOf = resource === 'bindings' ? resourceOf(object) === 'pods' : resourceOf(object) === resource;
  const found: string[] = [];
  const must = (holds: boolean, problem: string) =>
    void (holds || found.push(`${problem} (${object.kind} ${metadata.namespace}/${metadata.name} ${outcome})`));
  must(isOf, 'an object of another resource has changed');
  must(VERBS[outcome].includes(verb), 'another outcome than that of the verb');
  must(
    resource === 'namespaces' || namespace === (metadata.namespace ?? ''),
    'an object of another namespace has changed',
  );
  must(name === '' || name === metadata.name || resource === 'bindings', 'an object of another name has changed');
  if (outcome === 'created' && verb !== 'create')
    must(
      asked.some(({ attributes: also, allowed }) => allowed && also.verb === 'create' && also.resource === resource),
      'an object was created without the permission to create it',
    );
  if (before && outcome === 'updated' && (verb === 'update' || verb === 'patch')) {
    const same = (...members: readonly (keyof ApiObject['metadata'])[]) =>
      members.every((member) =>
        equalJson((before.metadata[member] ?? null) as JsonValue, (metadata[member] ?? null) as JsonValue),
      );
    must(same('name', 'namespace', 'uid', 'creationTimestamp'), 'the identity has changed');
    must(same('deletionTimestamp'), 'an update has marked the object as deleted');
    const [old, next] = [before, object] as unknown as [Record<string, JsonValue>, Record<string, JsonValue>];
    if (subresource === 'status')
      must(equalJson(old['spec'] ?? null, next['spec'] ?? null), 'a status write has changed the spec');
  }
  const seen = admitted.filter((each) => each.name === metadata.name || (isWhole && each.name === '')).at(-1);
  must(seen !== undefined, 'admission has not seen the object');
  if (!seen) return found;
  must(!seen.dryRun, 'admission has seen a dry run');
  must(seen.user.username === attributes.user.username, 'admission has seen another user');
  must(seen.resource.resource === resource && seen.resource.group === group, 'admission has seen another resource');
  must(seen.subresource === subresource, 'admission has seen another subresource');
  must(resource === 'namespaces' || seen.namespace === namespace, 'admission has seen another namespace');
  must(
    (outcome === 'created') === (seen.operation === 'CREATE') || subresource !== '',
    `admission has seen ${seen.operation}`,
  );
  return found;
}

it('authorizers, admission, audit events and the log describe what the storage changed', async () => {
  const random = randomOf(SEED);
  const problems: object[] = [];
  let written = 0;
  for (let i = 0; i < ITERATIONS && problems.length < 10; i++) {
    const request = randomRequest(all, random);
    const mode = random(8);
    const limit = random(3);
    decide = mode < 5 ? () => true : mode === 5 ? () => false : (count) => count < limit;
    asked = [];
    admitted = [];
    events = [];
    changes = [];
    const { body, ...rest } = request;
    const { status, text } = await ask(server, {
      ...rest,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const found = disagreements(request, status, text);
    written += changes.length;
    if (found.length > 0)
      problems.push({ i, found, status, request, asked: asked.map(({ attributes }) => attributes) });
  }
  expect(problems).toEqual([]);
  expect(written).toBeGreaterThan(ITERATIONS / 100);
}, 600_000);
