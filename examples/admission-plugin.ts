/**
 * Three admission plug-ins in one file. The first one labels every new object with its creator, the second one refuses ConfigMaps that
 * are too large, and the third one reports deletions to another system, which it must not do for a dry run. Run it:
 *
 *   npx tsx examples/admission-plugin.ts
 */
import { type ApiObject, ApiServer, apiError, type ConfigMap, configMap } from 'orch-apiserver';
import type { AdmissionPluginFactory } from 'orch-apiserver/admission';

const MAX_KEYS = 3;

/** Changes objects: `admit` runs before validation and returns the changed object. Objects are frozen, so it copies. */
export const labelMaker: AdmissionPluginFactory<ApiObject> = (host) => ({
  name: 'LabelMaker',
  rules: [{ operations: ['CREATE'], apiGroups: ['*'], resources: ['*'] }],
  admit({ object, user }) {
    const made = { [`${host.dialect.labelDomain}/made-by`]: user.username.replaceAll(':', '.') };
    return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...made } } };
  },
});

/** Refuses objects: `validate` runs after the validation of the kind, receives the object as it would be stored, and throws. */
export const smallConfigMaps: AdmissionPluginFactory<ConfigMap> = () => ({
  name: 'SmallConfigMaps',
  rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: [''], resources: ['configmaps'] }],
  validate({ object, resource, name, warn }) {
    const keys = Object.keys(object.data ?? {}).length;
    if (keys > MAX_KEYS) throw apiError.forbidden(resource, name, `at most ${MAX_KEYS} keys, not ${keys}`);
    if (keys === MAX_KEYS) warn(`configmaps "${name}" is full`);
  },
});

/** Has side effects outside the server. It declares them, so dry runs that would call it are refused. */
export const deletionReport =
  (report: (line: string) => void): AdmissionPluginFactory =>
  () => ({
    name: 'DeletionReport',
    sideEffects: true,
    rules: [{ operations: ['DELETE'], apiGroups: ['*'], resources: ['*'] }],
    validate: ({ resource, name, user }) => report(`${user.username} deletes ${resource.resource}/${name}`),
  });

/** Starts a control plane with these plug-ins after the default ones, which protect approvals, signers and accounts. */
export async function startGuarded(report: (line: string) => void): Promise<ApiServer> {
  const server = new ApiServer({
    dialect: 'k8s',
    admission: (defaults) => [...defaults, labelMaker, smallConfigMaps, deletionReport(report)],
  });
  await server.start();
  return server;
}

if (process.argv[1]?.endsWith('admission-plugin.ts')) {
  const server = await startGuarded((line) => process.stdout.write(`${line}\n`));
  const client = server.client({ user: { username: 'alice', groups: ['system:masters'] } });
  const made = await client.create(
    configMap,
    { metadata: { name: 'first' }, data: { a: '1' } },
    { namespace: 'default' },
  );
  process.stdout.write(`${JSON.stringify(made.metadata.labels)}\n`);
  await client.delete(configMap, 'first', { namespace: 'default' });
  await server.close();
}
