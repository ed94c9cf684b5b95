/**
 * An operator as it is deployed. It lists and watches custom resources with @kubernetes/client-node, creates what their specs require, and
 * writes their status. In a test, it connects over HTTPS to an API server in the same process.
 */
import {
  AppsV1Api,
  CustomObjectsApi,
  type KubeConfig,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
} from '@kubernetes/client-node';

const GROUP = { group: 'example.com', version: 'v1', plural: 'sites' };

export interface Site {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly generation?: number;
  };
  readonly spec: { readonly image: string; readonly replicas: number };
  readonly status?: { readonly observedGeneration?: number; readonly deployment?: string };
}

/** The CustomResourceDefinition of the operator. */
export const siteDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'sites.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'sites', kind: 'Site' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['image'],
                properties: { image: { type: 'string' }, replicas: { type: 'integer', minimum: 0, default: 1 } },
              },
              status: {
                type: 'object',
                properties: { observedGeneration: { type: 'integer' }, deployment: { type: 'string' } },
              },
            },
          },
        },
      },
    ],
  },
};

export interface Operator {
  /** Stops watching, and resolves when the current work is done. @throws the error that stopped the operator, if any */
  stop(): Promise<void>;
}

/** Starts the operator with the credentials of a kubeconfig. */
export async function startOperator(config: KubeConfig): Promise<Operator> {
  const sites = config.makeApiClient(CustomObjectsApi);
  const apps = config.makeApiClient(AppsV1Api);

  /** Applies the objects that a site requires. Their owner reference lets the garbage collector delete them with the site. */
  async function reconcile({ metadata = {}, spec, status }: Site): Promise<void> {
    const { name = '', namespace = '', uid = '', generation = 0 } = metadata;
    if (status?.observedGeneration === generation) return;
    const labels = { site: name };
    const container = { name: 'site', image: spec.image };
    await apps.patchNamespacedDeployment(
      {
        name,
        namespace,
        fieldManager: 'site-operator',
        force: true,
        body: {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: {
            name,
            ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Site', name, uid, controller: true }],
          },
          spec: {
            replicas: spec.replicas,
            selector: { matchLabels: labels },
            template: { metadata: { labels }, spec: { containers: [container] } },
          },
        },
      },
      setHeaderOptions('Content-Type', PatchStrategy.ServerSideApply),
    );
    await sites.patchNamespacedCustomObjectStatus(
      { ...GROUP, namespace, name, body: { status: { observedGeneration: generation, deployment: name } } },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    );
  }

  let work = Promise.resolve();
  const enqueue = (site: Site) => {
    work = work.then(() => reconcile(site));
    work.catch(() => {}); // stop() reports it
  };
  const list = async () => (await sites.listCustomObjectForAllNamespaces(GROUP)) as { items: Site[] };
  const informer = makeInformer(config, '/apis/example.com/v1/sites', list as never);
  informer.on('add', (site) => enqueue(site as Site));
  informer.on('update', (site) => enqueue(site as Site));
  await informer.start();
  return {
    async stop() {
      await informer.stop();
      await work;
    },
  };
}
