import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasKubectl, type KubectlCluster, kubectlCluster } from '../kubectl/kubectl.js';
import { ask } from '../support/ask.js';
import { suiteServer } from '../support/servers.js';
import { projects } from './projects/index.js';
import { everybody } from './support.js';

const objectOf = ({ definition, version, kind }: (typeof projects)[number], content: object) => ({
  apiVersion: `${definition.spec.group}/${version}`,
  kind,
  ...content,
});

describe('definitions of projects', () => {
  const server = suiteServer({ dialect: 'k8s', authentication: [everybody] });
  beforeAll(async () => {
    for (const { definition } of projects) await server.install(definition as never);
  });

  it.each(projects.map((project) => [project.project, project] as const))(
    '%s: accepts and stores the objects that it should',
    async (_name, project) => {
      const [plural] = project.definition.metadata.name.split('.');
      const path = `/apis/${project.definition.spec.group}/${project.version}/namespaces/default/${plural}`;
      const made = await ask(server, { method: 'POST', path, body: objectOf(project, project.valid) });
      expect(made).toMatchObject({ status: 201, value: { spec: project.valid.spec } });
      for (const [change, message] of project.invalid) {
        const content = { metadata: { name: 'bad' }, spec: { ...project.valid.spec, ...change } };
        const refused = await ask(server, { method: 'POST', path, body: objectOf(project, content) });
        expect(refused.status).toBe(422);
        expect(refused.value.message).toContain(message);
      }
      const unknown = { ...project.valid, metadata: { name: 'unknown' }, spec: { ...project.valid.spec, nobody: 1 } };
      const strict = { method: 'POST', path, query: 'fieldValidation=Strict', body: objectOf(project, unknown) };
      expect((await ask(server, strict)).value.message).toContain('unknown field "spec.nobody"');
    },
  );
});

describe.skipIf(!hasKubectl)('kubectl and definitions of projects (skipped where it is not on the PATH)', () => {
  let cluster: KubectlCluster;
  beforeAll(async () => {
    cluster = await kubectlCluster();
    const definitions = projects.map(({ definition }) => JSON.stringify(definition)).join('\n');
    await cluster.kubectl('apply -f -', definitions);
    const names = projects.map(({ definition }) => `crd/${definition.metadata.name}`);
    await cluster.kubectl(['wait', '--for=condition=Established', ...names]);
  }, 120_000);
  afterAll(() => cluster[Symbol.asyncDispose]());

  it.each(projects.map((project) => [project.project, project] as const))(
    '%s: is applied, printed and explained',
    async (_name, project) => {
      const { kubectl } = cluster;
      const resource = project.definition.metadata.name;
      const named = `${project.kind.toLowerCase()}.${project.definition.spec.group}/${project.valid.metadata.name}`;
      const text = JSON.stringify(objectOf(project, project.valid));
      expect(await kubectl('apply --server-side -f -', text)).toBe(`${named} serverside-applied\n`);
      expect(await kubectl('apply --server-side -f -', text)).toBe(`${named} serverside-applied\n`);
      const [, row = ''] = (await kubectl(`get ${resource}`)).split('\n');
      for (const cell of project.row) expect(row).toContain(cell);
      expect(JSON.parse(await kubectl(`get ${named} -o jsonpath={.spec}`))).toMatchObject(project.valid.spec);
      const [field, type] = project.explained;
      const version = `--api-version=${project.definition.spec.group}/${project.version}`;
      expect(await kubectl(`explain ${field} ${version}`)).toMatch(
        new RegExp(`FIELD: ${field.split('.').at(-1)} <${type}>`),
      );
      const [change] = project.invalid.at(-1) ?? [{}];
      const bad = objectOf(project, { ...project.valid, spec: { ...project.valid.spec, ...change } });
      await expect(kubectl('apply --server-side -f -', JSON.stringify(bad))).rejects.toThrow(
        /is invalid|failed to create typed patch object/,
      );
      expect(await kubectl(`delete ${named}`)).toContain('deleted');
    },
    60_000,
  );
});
