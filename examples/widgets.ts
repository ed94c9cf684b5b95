/**
 * A kind of your own in one file: fields with validation, table columns and a status subresource. Run it:
 *
 *   npx tsx examples/widgets.ts > widgets.kubeconfig
 *   kubectl --kubeconfig widgets.kubeconfig get widgets
 */
import { ApiServer, defineResource, type ObjectOf } from 'orch-apiserver';
import { listen } from 'orch-apiserver/http';
import * as z from 'zod';

export const widget = defineResource({
  group: 'shop.example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  shortNames: ['wd'],
  scope: 'Namespaced',
  schema: z.object({
    spec: z.object({
      size: z.int().min(1).max(10),
      color: z.enum(['red', 'green', 'blue']).default('green'),
    }),
    status: z.object({ ready: z.boolean() }).optional(),
  }),
  // A new widget has no status, an update of the widget does not change its status, and an update of /status changes nothing else.
  subresources: { status: {} },
  selectableFields: { 'spec.color': ({ spec }) => spec.color },
  columns: [
    {
      name: 'Name',
      type: 'string',
      format: 'name',
      description: 'Name of the widget.',
      cell: ({ metadata }) => metadata.name ?? '',
    },
    { name: 'Size', type: 'integer', description: 'How big it is.', cell: ({ spec }) => spec.size },
    {
      name: 'Ready',
      type: 'boolean',
      description: 'Whether it can be used.',
      cell: ({ status }) => status?.ready ?? false,
    },
  ],
});
export type Widget = ObjectOf<typeof widget>;

/** Starts a control plane that serves the built-in kinds and widgets, and creates a first widget. */
export async function startShop(): Promise<ApiServer> {
  const server = new ApiServer({ dialect: 'k8s', resources: (builtin) => [...builtin, widget] });
  await server.start();
  const client = server.client();
  await client.create(
    widget,
    { metadata: { name: 'first' }, spec: { size: 3, color: 'red' } },
    { namespace: 'default' },
  );
  await client.update(widget, 'first', (draft) => void (draft.status = { ready: true }), {
    namespace: 'default',
    subresource: 'status',
  });
  return server;
}

if (process.argv[1]?.endsWith('widgets.ts')) {
  const server = await startShop();
  const listener = await listen(server);
  process.stdout.write(await listener.kubeconfig());
  process.stderr.write(`Widgets at ${listener.url}; end with Ctrl-C\n`);
}
