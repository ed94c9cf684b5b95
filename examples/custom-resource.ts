/**
 * A CustomResourceDefinition with validation rules, without a cluster: a manifest defines a kind, and a typed client uses it.
 */
import { type ApiObject, ApiServer, type ResourceDefinition } from 'orch-apiserver';

/** The type of the objects that the definition below describes. */
export interface Backup extends ApiObject {
  readonly spec: { readonly schedule: string; readonly keep?: number; readonly until?: string };
}

export const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'backups.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'backups', kind: 'Backup', shortNames: ['bu'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['schedule'],
                properties: {
                  schedule: { type: 'string', maxLength: 100 },
                  keep: { type: 'integer', minimum: 1, default: 7 },
                  until: { type: 'string', format: 'date' },
                },
                'x-kubernetes-validations': [
                  { rule: 'self.keep < 100 || has(self.until)', message: 'what is kept that often must end' },
                  { rule: 'self.keep >= oldSelf.keep', message: 'keep only grows' },
                ],
              },
            },
          },
        },
        additionalPrinterColumns: [{ name: 'Schedule', type: 'string', jsonPath: '.spec.schedule' }],
      },
    ],
  },
};

/** Starts a server that serves backups. Returns it with the kind for typed clients. */
export async function startWithBackups(): Promise<{ server: ApiServer; backup: ResourceDefinition<Backup> }> {
  const server = new ApiServer();
  await server.start();
  await server.install(definition);
  return { server, backup: server.kind<Backup>('example.com/v1', 'Backup') };
}
