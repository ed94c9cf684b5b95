/** The requests of the workload. Each draws its target at random from the paths of existing objects, which are recorded by kind. */

const CORE = '/api/v1/namespaces';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const CSRS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const SHOPS = '/apis/test.example.com/v1/namespaces';
const FINALIZER = 'example.com/wait';
/** Created once with openssl: O=shops, CN=dana. A new key for each run would be random. */
const CERTIFICATE_REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIYU1JR0JBZ0VBTUI4eERqQU1CZ05WQkFvTUJYTm9iM0J6TVEwd0N3WURWUVFEREFSa1lXNWhNRmt3RXdZSApLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFbkFNNVFXYmNNZTdITDVKcEU1SG84NkwvZUtXTGZLVnZRRHF1Ck1qelBPdFFOZUVpYzJnSVBFckUzTUdYT3ZHVysxeWU3TEIzTWIycVJDcEt4MkVIYlI2QUFNQW9HQ0NxR1NNNDkKQkFNQ0EwZ0FNRVVDSVFDSDRLd1NrbXZOK0xmdXlIclNjYTl6L0hxRkVTNGFzRVUwNTdtK3NKWGFTd0lnQ1U1ZQpGbFU0QXdraWViYU1CNGNqeDhhRExwclVWK1NveVp6QjRGTVRaSVE9Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';

const definition = {
  metadata: { name: 'shops.test.example.com' },
  spec: {
    group: 'test.example.com',
    scope: 'Namespaced',
    names: { plural: 'shops', kind: 'Shop' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { size: { type: 'integer', default: 3, maximum: 9 } },
                'x-kubernetes-validations': [{ rule: 'self.size > 0', message: 'a shop has a size' }],
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
};

/**
 * @param world.ask sends a request: `ask(method, path, body, headers)`, resolves with the JSON of the response, or undefined
 * @param world.chance draws random numbers
 * @param world.known the names of created objects, by their collection
 */
export function operations({ ask, chance, known }) {
  const namespace = () => chance.pick(['default', 'shop', 'shop', 'closing']);
  const inNamespace = (plural) => `${CORE}/${namespace()}/${plural}`;
  const some = (collection) => {
    const names = [...(known.get(collection) ?? [])];
    return names.length > 0 ? chance.pick(names) : 'missing';
  };
  /** Returns the path of a created object of a kind, if there is one. */
  const existing = (prefix, plural) => {
    const collections = [...known.keys()].filter((each) => each.startsWith(prefix) && each.endsWith(`/${plural}`));
    const collection = collections.length > 0 ? chance.pick(collections) : `${prefix}/default/${plural}`;
    return `${collection}/${some(collection)}`;
  };
  const remember = (collection, object) => {
    const name = object?.metadata?.name;
    if (name === undefined) return object;
    if (!known.has(collection)) known.set(collection, new Set());
    known.get(collection).add(name);
    return object;
  };
  const create = async (collection, body) => remember(collection, await ask('POST', collection, body));
  const name = () => ({ generateName: chance.pick(['a-', 'b-', 'c-']) });
  const data = () => ({ n: String(chance.below(1000)), word: chance.pick(['red', 'green', 'blue']) });
  const labels = () => ({ color: chance.pick(['red', 'green']) });
  const configMaps = () => inNamespace('configmaps');

  return {
    createConfigMap: () => create(configMaps(), { metadata: { ...name(), labels: labels() }, data: data() }),
    createWithFinalizer: () => create(configMaps(), { metadata: { ...name(), finalizers: [FINALIZER] } }),
    async updateConfigMap() {
      const path = existing(CORE, 'configmaps');
      const current = await ask('GET', path);
      if (current?.kind !== 'ConfigMap') return;
      // Every third update is based on a version that another writer has replaced.
      if (chance.often(0.3))
        await ask('PATCH', path, { data: data() }, { 'content-type': 'application/merge-patch+json' });
      await ask('PUT', path, { ...current, data: data() });
    },
    async patchConfigMap() {
      const path = existing(CORE, 'configmaps');
      const [type, body] = chance.pick([
        ['merge-patch', { metadata: { labels: labels() } }],
        ['strategic-merge-patch', { data: { word: null, n: '7' } }],
        ['json-patch', [{ op: 'add', path: '/data', value: data() }]],
        ['json-patch', [{ op: 'test', path: '/data/n', value: '7' }]],
      ]);
      await ask('PATCH', path, body, { 'content-type': `application/${type}+json` });
    },
    async applyConfigMap() {
      const collection = configMaps();
      const target = chance.pick(['applied', some(collection)]);
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: target, labels: labels() }, data: data() };
      const query = `fieldManager=${chance.pick(['one', 'two'])}${chance.often(0.5) ? '&force=true' : ''}`;
      const made = await ask('PATCH', `${collection}/${target}?${query}`, body, {
        'content-type': 'application/apply-patch+yaml',
      });
      if (made?.kind === 'ConfigMap') remember(collection, made);
    },
    async deleteConfigMap() {
      const policy = chance.pick(['Background', 'Foreground', 'Orphan']);
      await ask('DELETE', existing(CORE, 'configmaps'), {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        propagationPolicy: policy,
      });
    },
    async releaseFinalizer() {
      await ask(
        'PATCH',
        existing(CORE, 'configmaps'),
        { metadata: { finalizers: null } },
        {
          'content-type': 'application/merge-patch+json',
        },
      );
    },
    async ownSecrets() {
      const owner = await ask('GET', existing(CORE, 'configmaps'));
      if (owner?.kind !== 'ConfigMap') return;
      const { name: owning, uid, namespace: place } = owner.metadata;
      const blockOwnerDeletion = chance.often(0.5);
      const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: owning, uid, blockOwnerDeletion }];
      for (let n = chance.below(3); n >= 0; n--)
        await create(`${CORE}/${place}/secrets`, { metadata: { ...name(), ownerReferences }, stringData: data() });
    },
    createDeployment() {
      const spec = {
        replicas: chance.below(4),
        selector: { matchLabels: { app: 'a' } },
        template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      };
      return create(`/apis/apps/v1/namespaces/${namespace()}/deployments`, { metadata: name(), spec });
    },
    async deleteDeployment() {
      await ask(
        'DELETE',
        `${existing('/apis/apps/v1/namespaces', 'deployments')}?propagationPolicy=${chance.pick(['Background', 'Foreground'])}`,
      );
    },
    async createPod() {
      const collection = inNamespace('pods');
      const spec = { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '100m' } } }] };
      const pod = await create(collection, { metadata: { ...name(), labels: { app: 'a' } }, spec });
      if (pod?.kind !== 'Pod') return;
      const target = { kind: 'Node', name: 'n' };
      await ask('POST', `${collection}/${pod.metadata.name}/binding`, {
        metadata: { name: pod.metadata.name },
        target,
      });
    },
    createService() {
      const ports = [{ port: 80 + chance.below(3), targetPort: 8080 }];
      const spec = { type: chance.pick(['ClusterIP', 'NodePort']), selector: { app: 'a' }, ports };
      return create(inNamespace('services'), { metadata: name(), spec });
    },
    async deleteService() {
      await ask('DELETE', existing(CORE, 'services'));
    },
    async token() {
      const collection = inNamespace('serviceaccounts');
      const account = await create(collection, { metadata: name() });
      if (account?.kind !== 'ServiceAccount') return;
      const path = `${collection}/${account.metadata.name}/token`;
      const answer = await ask('POST', path, { spec: { audiences: [], expirationSeconds: 600 + chance.below(600) } });
      const { token } = answer?.status ?? {};
      if (token === undefined) return;
      const authorization = { authorization: `Bearer ${token}` };
      await ask('GET', `${CORE}/default/configmaps`, undefined, authorization);
      await ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token } });
    },
    async legacyToken() {
      const collection = inNamespace('serviceaccounts');
      const annotations = { 'kubernetes.io/service-account.name': some(collection) };
      const type = 'kubernetes.io/service-account-token';
      await create(collection.replace('serviceaccounts', 'secrets'), { metadata: { ...name(), annotations }, type });
    },
    async signCertificate() {
      const spec = {
        request: CERTIFICATE_REQUEST,
        signerName: 'kubernetes.io/kube-apiserver-client',
        usages: ['client auth'],
        expirationSeconds: 600 + chance.below(6000),
      };
      const csr = await create(CSRS, { metadata: name(), spec });
      if (csr?.kind !== 'CertificateSigningRequest') return;
      const conditions = [{ type: chance.pick(['Approved', 'Approved', 'Denied']), status: 'True', reason: 'test' }];
      await ask('PUT', `${CSRS}/${csr.metadata.name}/approval`, { ...csr, status: { ...csr.status, conditions } });
    },
    readCertificate: () => ask('GET', `${CSRS}/${some(CSRS)}`),
    defineKind: () => create(CRDS, definition),
    async undefineKind() {
      if (chance.often(0.2)) await ask('DELETE', `${CRDS}/${definition.metadata.name}`);
    },
    createShop: () =>
      create(`${SHOPS}/${namespace()}/shops`, {
        apiVersion: 'test.example.com/v1',
        kind: 'Shop',
        metadata: name(),
        spec: chance.pick([{}, { size: chance.below(12) }, { size: 2, unknown: true }]),
      }),
    async changeShop() {
      const part = chance.pick(['', '/status']);
      const body = part === '' ? { spec: { size: 1 + chance.below(9) } } : { status: { open: chance.often(0.5) } };
      await ask('PATCH', `${existing(SHOPS, 'shops')}${part}`, body, {
        'content-type': 'application/merge-patch+json',
      });
    },
    limitQuota: () =>
      create(inNamespace('resourcequotas'), {
        metadata: name(),
        spec: { hard: { secrets: '100', 'requests.cpu': '10', 'count/configmaps': '200' } },
      }),
    async deleteNamespace() {
      await ask('DELETE', `${CORE}/closing`);
    },
    async createNamespace() {
      await ask('POST', CORE, { metadata: { name: 'closing' } });
    },
    async deleteMany() {
      await ask('DELETE', `${configMaps()}?labelSelector=color%3Dred`);
    },
    async list() {
      const path = chance.pick([configMaps(), '/api/v1/secrets', '/api/v1/events', CORE, '/api/v1/services']);
      const first = await ask('GET', `${path}?limit=${1 + chance.below(4)}`);
      const more = first?.metadata?.continue;
      if (more) await ask('GET', `${path}?limit=5&continue=${encodeURIComponent(more)}`);
    },
    table: () =>
      ask('GET', configMaps(), undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' }),
    protobuf: () => ask('GET', configMaps(), undefined, { accept: 'application/vnd.kubernetes.protobuf' }),
    document: () =>
      ask('GET', chance.pick(['/version', '/apis', '/api/v1', '/openapi/v3', '/apis/test.example.com/v1', '/readyz'])),
    review: () =>
      ask('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
        spec: { resourceAttributes: { verb: 'get', resource: 'secrets', namespace: namespace() } },
      }),
  };
}
