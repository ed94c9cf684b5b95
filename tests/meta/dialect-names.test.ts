import { beforeAll, describe, expect, it } from 'vitest';
import { checkRule } from '../../src/cel/rules.js';
import { dialectOf, metricName } from '../../src/meta/dialect.js';
import { wellKnownSigners } from '../../src/meta/signers.js';
import { ask, fetchFrom, requestsTo } from '../support/ask.js';
import { suiteServer } from '../support/servers.js';

// Every name of a dialect, as a client meets it (spec 19.23). The expected names are written out, because a comparison with the server's
// own table would always succeed.
const NAMES = {
  orch: {
    groupSuffix: 'orch.io',
    labelDomain: 'orch.io',
    bareDomain: 'orch.io',
    protobufMediaType: 'application/vnd.orch.protobuf',
    nodeAgent: 'orchlet',
    apiServerName: 'orch-apiserver',
    rootCaConfigMap: 'orch-root-ca.crt',
    namespaceFinalizer: 'orch',
    apiService: 'orch',
    schemaExtensionPrefix: 'x-orch-',
    headerPrefix: 'x-orch',
    apiTitle: 'orch-apiserver',
    componentPrefix: 'orch',
    scheme: '',
    typePackage: 'orch',
    execInfoVariable: 'ORCH_EXEC_INFO',
    tokenPrivateClaim: 'orch.io',
    legacyTokenIssuer: 'orch/serviceaccount',
    metric: 'orch_apiserver_pod_logs_pods_logs_backend_tls_failure_total',
  },
  k8s: {
    groupSuffix: 'k8s.io',
    labelDomain: 'kubernetes.io',
    bareDomain: 'k8s.io',
    protobufMediaType: 'application/vnd.kubernetes.protobuf',
    nodeAgent: 'kubelet',
    apiServerName: 'kube-apiserver',
    rootCaConfigMap: 'kube-root-ca.crt',
    namespaceFinalizer: 'kubernetes',
    apiService: 'kubernetes',
    schemaExtensionPrefix: 'x-kubernetes-',
    headerPrefix: 'x-kubernetes',
    apiTitle: 'Kubernetes',
    componentPrefix: 'kube',
    scheme: ' in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"',
    typePackage: 'kubernetes',
    execInfoVariable: 'KUBERNETES_EXEC_INFO',
    tokenPrivateClaim: 'kubernetes.io',
    legacyTokenIssuer: 'kubernetes/serviceaccount',
    metric: 'kube_apiserver_pod_logs_pods_logs_backend_tls_failure_total',
  },
} as const;

describe.each(['orch', 'k8s'] as const)('the names of %s', (dialect) => {
  const names = NAMES[dialect];
  const user = { username: 'admin', groups: ['system:masters'] };
  const server = suiteServer({
    dialect,
    featureGates: { ClusterTrustBundle: true, WatchList: true },
    limits: { priorityAndFairness: true },
  });
  const { get, post } = requestsTo(server, { user });
  beforeAll(async () => {
    await server.settle();
  });

  const fetched = (accept: string) => fetchFrom(server, '/api/v1/namespaces', { headers: { accept }, user });

  const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

  it('groupSuffix', async () => {
    const { value } = await get('/apis');
    const suffixed = (value.groups as { name: string }[]).map(({ name }) => name).filter((name) => name.includes('.'));
    expect(suffixed).toContain(`certificates.${names.groupSuffix}`);
    expect(suffixed.filter((name) => !name.endsWith(`.${names.groupSuffix}`))).toEqual([]);
  });

  it('labelDomain', async () => {
    const { value } = await get(`/apis/rbac.authorization.${names.groupSuffix}/v1/clusterroles/view`);
    expect(value.metadata.labels).toMatchObject({ [`${names.labelDomain}/bootstrapping`]: 'rbac-defaults' });
    const named = await get('/api/v1/namespaces/default');
    expect(named.value.metadata.labels).toEqual({ [`${names.labelDomain}/metadata.name`]: 'default' });
  });

  it('bareDomain', async () => {
    const query =
      'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1';
    const response = await fetchFrom(server, `/api/v1/namespaces?${query}`, { user });
    const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
    const annotation = `"${names.bareDomain}/initial-events-end":"true"`;
    let text = '';
    while (!text.includes('BOOKMARK')) {
      const { value, done } = await reader.read();
      if (done) break;
      text += new TextDecoder().decode(value);
    }
    await reader.cancel();
    expect(text).toContain(annotation);
  });

  it('protobufMediaType', async () => {
    const { status, headers } = await fetched(names.protobufMediaType);
    expect([status, headers.get('content-type')]).toEqual([200, names.protobufMediaType]);
    const other = NAMES[dialect === 'orch' ? 'k8s' : 'orch'].protobufMediaType;
    expect((await fetched(other)).status).toBe(406);
  });

  it('nodeAgent and apiServerName: the signers that are served', async () => {
    expect(wellKnownSigners(dialectOf(dialect))).toMatchObject({
      client: `${names.labelDomain}/${names.apiServerName}-client`,
      nodeClient: `${names.labelDomain}/${names.apiServerName}-client-${names.nodeAgent}`,
      nodeServing: `${names.labelDomain}/${names.nodeAgent}-serving`,
      legacy: `${names.labelDomain}/legacy-unknown`,
    });
    const role = `system:${names.nodeAgent}-api-admin`;
    expect((await get(`/apis/rbac.authorization.${names.groupSuffix}/v1/clusterroles/${role}`)).status).toBe(200);
  });

  it('19.8: the users that can read trust bundles', async () => {
    const binding = 'system:cluster-trust-bundle-discovery';
    const { value } = await get(`/apis/rbac.authorization.${names.groupSuffix}/v1/clusterrolebindings/${binding}`);
    const readers = dialect === 'orch' ? 'system:authenticated' : 'system:serviceaccounts';
    expect(value.subjects).toMatchObject([{ kind: 'Group', name: readers }]);
  });

  it('rootCaConfigMap', async () => {
    const { status } = await get(`/api/v1/namespaces/default/configmaps/${names.rootCaConfigMap}`);
    expect(status).toBe(200);
  });

  it('namespaceFinalizer', async () => {
    expect((await get('/api/v1/namespaces/default')).value.spec.finalizers).toEqual([names.namespaceFinalizer]);
  });

  it('apiService', async () => {
    expect((await get(`/api/v1/namespaces/default/services/${names.apiService}`)).status).toBe(200);
  });

  it('schemaExtensionPrefix and apiTitle', async () => {
    const { text, value } = await get('/openapi/v3/api/v1');
    expect(value.info.title).toBe(names.apiTitle);
    const prefixes = new Set(text.match(/"x-[a-z0-9]+-(?=group-version-kind")/g));
    expect([...prefixes]).toEqual([`"${names.schemaExtensionPrefix}`]);
  });

  it('headerPrefix', async () => {
    const { headers } = await fetched('application/json');
    const own = [...headers.keys()].filter((name) => name.endsWith('-uid'));
    expect(own.sort()).toEqual([
      `${names.headerPrefix}-pf-flowschema-uid`,
      `${names.headerPrefix}-pf-prioritylevel-uid`,
    ]);
  });

  it('tokenPrivateClaim', async () => {
    const path = '/api/v1/namespaces/default/serviceaccounts/default/token';
    const { value } = await post(path, { spec: { audiences: ['a'] } });
    expect(claimsOf(value.status.token)[names.tokenPrivateClaim]).toMatchObject({ namespace: 'default' });
  });

  it('legacyTokenIssuer', async () => {
    const secret = {
      metadata: {
        name: 'legacy',
        annotations: { [`${names.labelDomain}/service-account.name`]: 'default' },
      },
      type: `${names.labelDomain}/service-account-token`,
    };
    expect((await post('/api/v1/namespaces/default/secrets', secret)).status).toBe(201);
    await server.settle();
    const { value } = await get('/api/v1/namespaces/default/secrets/legacy');
    const token = Buffer.from(value.data.token, 'base64').toString();
    expect(claimsOf(token).iss).toBe(names.legacyTokenIssuer);
    const headers = { authorization: `Bearer ${token}` };
    const body = { metadata: {} };
    const path = `/apis/authentication.${names.groupSuffix}/v1/selfsubjectreviews`;
    const review = await ask(server, { method: 'POST', path, headers, body });
    expect(review.value.status?.userInfo.username).toBe('system:serviceaccount:default:default');
  });

  it('execInfoVariable', () => {
    expect(dialectOf(dialect).execInfoVariable).toBe(names.execInfoVariable);
  });

  it('componentPrefix', async () => {
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const { value } = await post('/api/v1/namespaces/default/pods', pod);
    expect(value.spec.volumes[0].name).toMatch(new RegExp(`^${names.componentPrefix}-api-access-[a-z0-9]{5}$`));
  });

  it('citesUpstream', async () => {
    const { message } = await post('/api/v1/namespaces/default/pods', { apiVersion: 'v1', kind: 'Nothing' });
    expect(message).toContain(`no kind "Nothing" is registered for version "v1"${names.scheme}`);
  });

  it('typePackage', () => {
    const { errors } = checkRule({ type: 'object' }, "quantity('1') == 1", { dialect });
    expect(errors[0]).toContain(`applied to '(${names.typePackage}.Quantity, int)'`);
  });

  it('names of metrics', () => {
    const upstream = NAMES.k8s.metric;
    expect(metricName(dialectOf(dialect), upstream)).toBe(names.metric);
  });
});
