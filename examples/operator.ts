/**
 * An operator as it is deployed: it lists and watches objects of its own definition by @kubernetes/client-node, brings what is
 * there to what they want, and reports in their status. In a test it runs against the HTTPS of an API server of this process.
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

/** The operator's definition. */
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
  /** Reads no more, and ends when what it does now is done. @throws what went wrong on its way */
  stop(): Promise<void>;
}

/** Starts it with the credentials of a kubeconfig. */
export async function startOperator(config: KubeConfig): Promise<Operator> {
  const sites = config.makeApiClient(CustomObjectsApi);
  const apps = config.makeApiClient(AppsV1Api);

  /** Applies what a site wants, whatever is there; its owner reference lets it go with the site. */
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
  const wanted = (site: Site) => {
    work = work.then(() => reconcile(site));
    work.catch(() => {}); // stop() reports it
  };
  const list = async () => (await sites.listCustomObjectForAllNamespaces(GROUP)) as { items: Site[] };
  const informer = makeInformer(config, '/apis/example.com/v1/sites', list as never);
  informer.on('add', (site) => wanted(site as Site));
  informer.on('update', (site) => wanted(site as Site));
  await informer.start();
  return {
    async stop() {
      await informer.stop();
      await work;
    },
  };
}
