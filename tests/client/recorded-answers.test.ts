import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { remoteClient } from '../../src/client/remote/remote-client.js';
import { ApiError, isExpired } from '../../src/index.js';
import { isJsonObject, type JsonObject } from '../../src/json/value.js';
import { secret } from '../../src/resources/core/index.js';
import { type GoldenStep, goldenSteps, hasSharedData, sharedUrl } from '../support/shared-data.js';

/* Responses recorded from a server, which the typed client receives unchanged, where they were recorded completely. */
type Step = GoldenStep & { readonly body: JsonObject };
const areas = hasSharedData ? readdirSync(sharedUrl('conformance/golden')) : [];
const files = areas.flatMap((area) =>
  readdirSync(sharedUrl(`conformance/golden/${area}`)).map((file) => `${area}/${file.replace(/\.json$/, '')}`),
);
const steps = files
  .flatMap((file) => goldenSteps(file))
  .filter((step): step is Step => isJsonObject(step.body as never));
const where = { namespace: 'default' };

const clientOf = (answer: () => Response) =>
  remoteClient({ server: 'https://server', dialect: 'k8s', fetch: async () => answer() });
const clientOfStep = ({ status = 200, body }: Step) => clientOf(() => Response.json(body, { status }));

describe.skipIf(!hasSharedData)('responses recorded from a server', () => {
  it('become an error with its code, reason and causes', async () => {
    const failures = steps.filter(
      ({ status = 0, body }) =>
        status >= 400 && body['kind'] === 'Status' && body['status'] === 'Failure' && body['apiVersion'] === 'v1',
    );
    expect(failures.length).toBeGreaterThan(1000);
    for (const step of failures) {
      const failure = await (await clientOfStep(step)).get(secret, 'a', where).catch((error: unknown) => error);
      if (!(failure instanceof ApiError)) throw new Error(`${step.step}: not an ApiError: ${String(failure)}`);
      expect(failure.status).toEqual(step.body);
    }
  });

  it('become a list, whose items have their kind', async () => {
    const lists = steps.filter(
      ({ status, body }) => status === 200 && Array.isArray(body['items']) && body['metadata'] && isList(body),
    );
    expect(lists.length).toBeGreaterThan(10);
    for (const step of lists) {
      const { items, metadata } = await (await clientOfStep(step)).list(secret, where);
      expect(metadata).toEqual(step.body['metadata']);
      const kind = String(step.body['kind']).slice(0, -'List'.length);
      const own = { kind, apiVersion: step.body['apiVersion'] };
      expect(items).toEqual((step.body['items'] as JsonObject[]).map((item) => ({ ...own, ...item })));
    }
  });

  it('become an object', async () => {
    const objects = steps.filter(
      ({ status, body }) => status === 200 && isJsonObject(body['metadata']) && !isList(body),
    );
    expect(objects.length).toBeGreaterThan(100);
    for (const step of objects.filter(({ body }) => body['kind'] !== 'Status'))
      expect(await (await clientOfStep(step)).get(secret, 'a', where)).toEqual(step.body);
  });

  it('become a watch: its events, and the error that its version is too old', async () => {
    const events = (file: string, step: string) =>
      goldenSteps<JsonObject[]>(file).find((each) => each.step === step)?.body ?? [];
    const watchOf = async (lines: readonly JsonObject[]) => {
      const client = await clientOf(() => new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
      return client.watch(secret, where);
    };
    const changes = events('watch/basic', 'create, update, no-op, delete');
    expect(changes.length).toBeGreaterThan(2);
    const seen: unknown[] = [];
    for await (const event of await watchOf(changes)) if (seen.push(event) === changes.length) break;
    expect(seen).toEqual(changes);
    const old = events('watch/too-old', 'WATCH /api/v1/namespaces?watch=1&resourceVersion=1&timeoutSeconds=5');
    const ended = (async () => {
      for await (const _ of await watchOf(old));
    })();
    await expect(ended).rejects.toSatisfy(isExpired);
  });
});

const isList = ({ kind }: JsonObject) => typeof kind === 'string' && kind.endsWith('List');
