import { beforeAll, describe, expect, it } from 'vitest';
import { isFault, isMeant500 } from '../../../bench/fuzz/meant-500s.mjs';
import { tokenFile } from '../../../src/authentication/tokens/token-file.js';
import type { JsonObject, JsonValue } from '../../../src/json/value.js';
import { dialectOf } from '../../../src/meta/dialect.js';
import { makeRequest } from '../../pki/make-request.js';
import { ask } from '../../support/ask.js';
import { propertyRuns } from '../../support/property-runs.js';
import { suiteServer } from '../../support/servers.js';
import { type Sample, samples } from './mutation-bodies.js';
import { mutated, randomOf } from './mutations.js';

/*
 * Valid bodies of every kind with some nodes replaced, sent in every way that accepts a body. No response may be a fault of the server.
 * The environment variables ITERATIONS and SEED select more and other bodies.
 */
const ITERATIONS = propertyRuns(1500);
const SEED = Number(process.env['SEED'] ?? 1);

const JSON_TYPE = 'application/json';
const PATCH_TYPES = [
  'application/apply-patch+yaml',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/json-patch+json',
] as const;

interface Shot {
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  readonly type?: string;
  readonly body: JsonValue;
}

for (const name of ['k8s', 'orch'] as const)
  describe(`mutated bodies (${name})`, () => {
    const logged: string[] = [];
    let all: readonly Sample[];
    const server = suiteServer({
      dialect: name,
      authentication: [tokenFile('t,admin,1,"system:masters"')],
      controllers: [],
      log: (message) => logged.push(message),
    });
    beforeAll(async () => {
      all = samples(dialectOf(name), Buffer.from((await makeRequest()).pem).toString('base64'));
      await server.load([
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } },
        { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'default' } },
      ]);
    });

    async function send({ method, path, query = '', type = JSON_TYPE, body }: Shot) {
      const headers = { authorization: 'Bearer t', 'content-type': type };
      const { status, value } = await ask(server, { method, path, query, headers, body: JSON.stringify(body) });
      const { kind = 'Status', message = '' } = value;
      return { status, message: kind === 'Status' ? String(message) : '' };
    }

    const create = async ({ collection, body, stored }: Sample) =>
      stored ? await send({ method: 'POST', path: collection, body }) : undefined;

    it('do not cause a fault of the server', async () => {
      for (const sample of all) expect((await create(sample))?.message ?? '').toBe('');
      const random = randomOf(SEED);
      const faults: string[] = [];
      for (let i = 0; i < ITERATIONS && faults.length < 20; i++) {
        const sample = all[random(all.length)] as Sample;
        const shot = shotAt(sample, random);
        logged.length = 0;
        const { status, message } = await send(shot);
        const bad = isFault(message) || (status >= 500 && !isMeant500(message));
        if (bad || logged.length > 0)
          faults.push(`${status} ${message.slice(0, 200)} ${logged[0] ?? ''} <- ${JSON.stringify(shot).slice(0, 600)}`);
        if (shot.method === 'DELETE') await create(sample);
      }
      expect(faults).toEqual([]);
    }, 1_200_000);

    it('are created by an apply with null metadata, and refused if they are not objects', async () => {
      for (const { collection, body } of all.filter((sample) => sample.stored)) {
        const { status: _, ...applied } = body;
        const apply = (metadata: JsonValue, type = 'application/apply-patch+yaml') =>
          send({
            method: 'PATCH',
            path: `${collection}/from-null`,
            query: 'fieldManager=m&dryRun=All',
            type,
            body: { ...applied, metadata },
          });
        const absent = await apply({});
        expect([201, 400, 422]).toContain(absent.status);
        expect(await apply(null)).toEqual(absent);
        for (const metadata of [[], 'x', 1, true]) {
          const { status, message } = await apply(metadata);
          expect([400, 422, 500]).toContain(status);
          if (status === 500)
            expect(message).toMatch(/^failed to create typed patch object .*: \.metadata: expected map/s);
        }
      }
    });
  });

function shotAt(sample: Sample, random: (below: number) => number): Shot {
  const { collection, body, stored, subresources } = sample;
  const queries = ['', '', 'fieldValidation=Strict', 'dryRun=All', 'fieldValidation=Warn&fieldManager=m'];
  const query = queries[random(queries.length)] ?? '';
  const type = random(4) === 0 ? 'application/yaml' : JSON_TYPE;
  const fresh = { ...body, metadata: { ...(body['metadata'] as JsonObject), name: `other${random(5)}` } };
  if (!stored) return { method: 'POST', path: collection, query, type, body: mutated(body, random) };
  const sub = random(3) === 0 ? subresources[random(subresources.length + 1)] : undefined;
  const path = `${collection}/sample${sub ? `/${sub}` : ''}`;
  switch (random(8)) {
    case 0:
      return { method: 'POST', path: collection, query, type, body: mutated(fresh, random) };
    case 1:
      return { method: 'PUT', path, query, type, body: mutated(body, random) };
    case 2: {
      const options = {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        preconditions: { uid: 'u' },
        gracePeriodSeconds: 0,
        propagationPolicy: 'Orphan',
        dryRun: ['All'],
      };
      return { method: 'DELETE', path: random(2) ? collection : path, type, body: mutated(options, random) };
    }
    case 3: {
      const fields = { 'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } } };
      const entry = {
        manager: 'm',
        operation: 'Apply',
        apiVersion: 'v1',
        time: '2026-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: fields,
      };
      const owned = { ...body, metadata: { ...(body['metadata'] as JsonObject), managedFields: [entry] } };
      return { method: 'PUT', path, query, type, body: mutated(owned, random) };
    }
    default:
      return patchAt(sample, path, query, random);
  }
}

function patchAt({ collection, body }: Sample, path: string, query: string, random: (below: number) => number): Shot {
  const type = PATCH_TYPES[random(PATCH_TYPES.length)] ?? JSON_TYPE;
  if (type === 'application/json-patch+json') {
    const pointers = [
      '/metadata',
      '/metadata/labels',
      '/metadata/labels/app',
      '/spec',
      '/spec/containers/0',
      '/kind',
      '',
      '/metadata/finalizers/-',
      '/status/conditions',
      '/rules/0/verbs',
    ];
    const pointer = () => pointers[random(pointers.length)] ?? '';
    const operations = [
      {
        op: ['add', 'replace', 'remove', 'test', 'copy', 'move'][random(6)] ?? '',
        path: pointer(),
        from: pointer(),
        value: body,
      },
      { op: 'replace', path: pointer(), value: mutated(body, random) },
    ];
    return { method: 'PATCH', path, query, type, body: random(2) ? mutated(operations, random) : operations };
  }
  const apply = type === 'application/apply-patch+yaml';
  const where = apply && random(3) === 0 ? `${collection}/new${random(5)}` : path;
  const options = apply ? `${query}&fieldManager=f${random(3)}${random(2) ? '&force=true' : ''}` : query;
  return { method: 'PATCH', path: where, query: options, type, body: mutated(body, random) };
}
