import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { ApiServer } from '../../src/api-server.js';
import { type Listener, listen } from '../../src/http/index.js';
import { defineResource } from '../../src/registry/resource-definition.js';
import { builtinResources } from '../../src/resources/index.js';
import { topLevel } from '../../src/schema/object-meta-schema.js';
import { startServer } from '../support/servers.js';

/** The path of kubectl and of its other versions. */
function kubectlFolder(): string | undefined {
  const found = (process.env['PATH'] ?? '').split(delimiter).find((folder) => existsSync(join(folder, 'kubectl')));
  return found && dirname(realpathSync(join(found, 'kubectl')));
}

const folder = kubectlFolder() ?? '';
const versions = ['1.27', '1.31', '1.33'].filter((version) => existsSync(join(folder, `kubectl.${version}`)));

const widget = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
  schema: z.object({ spec: z.optional(z.object({ size: z.optional(z.int()), colour: z.optional(z.string()) })) }),
});

/** A kind that can only be created, not patched: kubectl validates it itself, with version 2. */
const greeting = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Greeting',
  plural: 'greetings',
  scope: 'Cluster',
  schema: z.object({ spec: z.optional(z.object({ name: z.optional(z.string()) })) }),
  virtual: { create: (body) => body },
});

/** kubectl lists these names for kinds without a PATCH. */
const definitions = defineResource({
  groupStem: 'apiextensions',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  scope: 'Cluster',
  schema: topLevel('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition', '', () => ({})),
});
const resources = [...builtinResources.filter(({ kind }) => kind !== definitions.kind), definitions, widget, greeting];

describe.skipIf(versions.length === 0).each(versions)('kubectl %s', (version) => {
  let room = '';
  let server: ApiServer;
  let listener: Listener;

  beforeAll(async () => {
    room = await mkdtemp(join(tmpdir(), 'openapi-kubectl-'));
    server = await startServer({ dialect: 'k8s', resources });
    listener = await listen(server, { port: 0 });
    await writeFile(join(room, 'config'), await listener.kubeconfig());
  });
  afterAll(async () => {
    await listener?.close();
    await server?.close();
    await rm(room, { recursive: true, force: true });
  });

  /** Runs kubectl with the lines as its standard input. */
  function kubectl(args: readonly string[], input = ''): Promise<{ code: number; out: string; error: string }> {
    const options = { env: { HOME: room, KUBECONFIG: join(room, 'config') }, timeout: 60_000 };
    return new Promise((resolve) => {
      const child = execFile(join(folder, `kubectl.${version}`), args, options, (failure, out, error) =>
        resolve({ code: failure ? 1 : 0, out, error }),
      );
      child.stdin?.end(input);
    });
  }

  const configMap = (name: string, more = '') =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: default}\n${more}`;

  test.each([
    [['configmap.data'], /FIELD: data <map\[string\]string>/],
    [['namespaces'], /KIND: +Namespace[\s\S]*spec\s+<NamespaceSpec>/],
    [['serviceaccounts.secrets', '--recursive'], /fieldPath\s+<string>/],
    [['widgets.spec'], /colour\s+<string>/],
    [['secrets', '--output=plaintext-openapiv2'], /stringData\s+<map\[string\]string>/],
  ])('explains %j', async (what, shown) => {
    const { code, out, error } = await kubectl(['explain', ...what]);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toMatch(shown);
  });

  test('leaves refusing unknown fields to the server', async () => {
    const refused = await kubectl(['create', '--validate=strict', '-f', '-'], configMap('strict', 'bogus: 1\n'));
    expect(refused.error).toContain('strict decoding error: unknown field "bogus"');
    const warned = await kubectl(['create', '--validate=warn', '-f', '-'], configMap('strict', 'bogus: 1\n'));
    expect(warned).toMatchObject({ code: 0, error: expect.stringContaining('Warning: unknown field "bogus"') });
  });

  test('applies, and applies again', async () => {
    const made = await kubectl(['apply', '--validate=strict', '-f', '-'], configMap('applied', 'data: {a: b}\n'));
    expect(made).toMatchObject({ code: 0, out: 'configmap/applied created\n' });
    const changed = await kubectl(['apply', '-f', '-'], configMap('applied', 'data: {a: c}\n'));
    expect(changed).toMatchObject({ code: 0, out: 'configmap/applied configured\n' });
    const same = await kubectl(['apply', '-f', '-'], configMap('applied', 'data: {a: c}\n'));
    expect(same).toMatchObject({ code: 0, out: 'configmap/applied unchanged\n' });
    const refused = await kubectl(['apply', '-f', '-'], configMap('applied', 'data: {a: c}\nbogus: 1\n'));
    expect(refused.error).toContain('unknown field "bogus"');
  });

  test('applies a custom resource', async () => {
    const object = (size: string) =>
      `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: one, namespace: default}\nspec: {size: ${size}}\n`;
    expect(await kubectl(['apply', '-f', '-'], object('1'))).toMatchObject({
      code: 0,
      out: 'widget.example.com/one created\n',
    });
    expect(await kubectl(['apply', '-f', '-'], object('2'))).toMatchObject({
      code: 0,
      out: 'widget.example.com/one configured\n',
    });
    expect((await kubectl(['apply', '-f', '-'], object('2, weight: 3'))).error).toContain(
      'unknown field "spec.weight"',
    );
  });

  test('validates kinds without PATCH itself, with version 2', async () => {
    const object = (spec: string) =>
      `apiVersion: example.com/v1\nkind: Greeting\nmetadata: {name: hello}\nspec: {${spec}}\n`;
    const refused = await kubectl(['create', '--validate=strict', '-f', '-'], object('name: you, loud: 1'));
    expect(refused.error).toMatch(/error validating data: .*unknown field "loud"/);
    expect(await kubectl(['create', '--validate=strict', '-f', '-'], object('name: you'))).toMatchObject({
      code: 0,
      error: '',
    });
  });
});
