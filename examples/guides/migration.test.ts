import { type ApiObject, ApiServer, reviewHandler, type WebhookHandler } from 'orch-apiserver';
import { expect, it } from 'vitest';

type OldSpec = { readonly everyHours: number };
type Spec = { readonly schedule: string };
interface OldBackup extends ApiObject {
  readonly spec: OldSpec;
}
interface Backup extends ApiObject {
  readonly spec: Spec;
}

/** The definition as it is deployed. With both versions, it has a conversion webhook. */
function definition(...versions: ('v1alpha1' | 'v1')[]) {
  const properties = { v1alpha1: { everyHours: { type: 'integer' } }, v1: { schedule: { type: 'string' } } };
  const clientConfig = { service: { namespace: 'backups', name: 'convert' } };
  const webhook = { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'backups.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'backups', kind: 'Backup' },
      versions: versions.map((name, i) => {
        const spec = { type: 'object', properties: properties[name] };
        const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
        return { name, served: true, storage: i === versions.length - 1, schema };
      }),
      ...(versions.length > 1 ? { conversion: webhook } : {}),
    },
  };
}

/** The conversion webhook, which receives a ConversionReview and returns its `response`. */
const convert: WebhookHandler = ({ request }) => {
  const { desiredAPIVersion, objects } = request as { desiredAPIVersion: string; objects: { spec: OldSpec | Spec }[] };
  const convertedObjects = objects.map(({ spec, ...object }) => ({
    ...object,
    apiVersion: desiredAPIVersion,
    spec: 'everyHours' in spec ? newSpec(spec) : oldSpec(spec),
  }));
  return { result: { status: 'Success' }, convertedObjects };
};
const newSpec = ({ everyHours }: OldSpec): Spec => ({ schedule: `0 */${everyHours} * * *` });
const oldSpec = ({ schedule }: Spec): OldSpec => ({ everyHours: Number(/\*\/(\d+)/.exec(schedule)?.[1] ?? 24) });

it('migrates backups from v1alpha1 to v1', async () => {
  await using server = new ApiServer({ dialect: 'k8s', services: { 'backups/convert': reviewHandler(convert) } });
  await server.start();
  const client = server.client();
  const where = { namespace: 'default' };

  // The state before the migration.
  await server.load([definition('v1alpha1')]);
  await server.settle(); // The definition is established, and its kind is served.
  const oldBackup = server.kind<OldBackup>('example.com/v1alpha1', 'Backup');
  await client.create(oldBackup, { metadata: { name: 'nightly' }, spec: { everyHours: 6 } }, where);

  // The upgrade. Clients of both versions see every object.
  await server.load([definition('v1alpha1', 'v1')]);
  await server.settle();
  const backup = server.kind<Backup>('example.com/v1', 'Backup');
  expect((await client.get(backup, 'nightly', where)).spec).toEqual({ schedule: '0 */6 * * *' });
  await client.update(backup, 'nightly', (draft) => void (draft.spec.schedule = '0 */8 * * *'), where);
  expect((await client.get(oldBackup, 'nightly', where)).spec).toEqual({ everyHours: 8 });
});
