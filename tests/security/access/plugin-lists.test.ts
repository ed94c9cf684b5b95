import https from 'node:https';
import { afterEach, describe, expect, it } from 'vitest';
import type { AdmissionPluginFactory } from '../../../src/admission/admission-plugin.js';
import { ApiServer } from '../../../src/api-server.js';
import type { ApiServerOptions } from '../../../src/api-server-options.js';
import { admissionOptions } from '../../../src/cli/authorization-options.js';
import { parseFlags } from '../../../src/cli/parse-flags.js';
import { defaultAdmission } from '../../../src/exports/admission.js';
import { tokenFile, x509 } from '../../../src/exports/authentication.js';
import { alwaysAllow, defaultAuthorization } from '../../../src/exports/authorization.js';
import { defaultControllers } from '../../../src/exports/controllers.js';
import { builtinResources, certificateSigningRequest, clusterRole, role } from '../../../src/exports/kinds.js';
import { createCertificateAuthority, issueCertificate } from '../../../src/exports/pki.js';
import { listen } from '../../../src/http/index.js';
import { configMap } from '../../../src/index.js';
import { readKubeconfig } from '../../../src/kubeconfig/index.js';
import { decodePem } from '../../../src/pki/pem.js';
import { as, grant, outcome } from '../../authorization/server.js';
import { makeRequest } from '../../pki/make-request.js';
import { whoIs } from '../../support/ask.js';
import { fakeHost } from '../../support/hosts.js';

/*
 * An explicit list of plug-ins does not lose a protection: the default lists contain what their names say, other plug-ins are added to
 * them, and whatever must never be missing is in no list.
 */
const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
async function start(options: ApiServerOptions = {}): Promise<ApiServer> {
  const server = new ApiServer({ dialect: 'k8s', controllers: { mode: 'stepped' }, ...options });
  open.push(() => server.close());
  await server.start();
  return server;
}
const mine: AdmissionPluginFactory = () => ({ name: 'Mine' });

describe('the list of admission plug-ins', () => {
  const lists: readonly (readonly [string, ApiServerOptions])[] = [
    ['by default', {}],
    ['with the default list', { admission: [...defaultAdmission] }],
    ['with the default list and another plug-in', { admission: [...defaultAdmission, mine] }],
    ['with a function of the default list', { admission: (defaults) => [mine, ...defaults] }],
  ];
  it.each(lists)('%s: a user who may only update approvals cannot approve for a signer', async (_name, options) => {
    const server = await start(options);
    const { pem } = await makeRequest({ commonName: 'eve' });
    const spec = { request: btoa(pem), signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };
    await server.client().create(certificateSigningRequest, { metadata: { name: 'r' }, spec } as never);
    await grant(server, 'eve', [
      {
        apiGroups: ['certificates.k8s.io'],
        resources: ['certificatesigningrequests', 'certificatesigningrequests/approval'],
        verbs: ['get', 'update', 'patch'],
      },
    ]);
    const conditions = [{ type: 'Approved', status: 'True', reason: 'x', message: '' }];
    const approval = as(server, 'eve', 'system:authenticated').patch(
      certificateSigningRequest,
      'r',
      { status: { conditions } },
      { subresource: 'approval' },
    );
    expect(await outcome(approval)).toMatchObject({
      code: 403,
      message: expect.stringContaining('user not permitted to approve requests with signerName'),
    });
  });

  it.each([
    ['with an empty list', { admission: [] }],
    ['with a list without the defaults', { admission: () => [mine] }],
  ] as const)('%s: users cannot grant permissions that they do not have in any case', async (_name, options) => {
    const server = await start(options);
    const namespace = 'default';
    await grant(server, 'eve', [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['create'] }]);
    const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }];
    const made = as(server, 'eve').create(role, { metadata: { name: 'r', namespace }, rules });
    expect(await outcome(made)).toMatchObject({ code: 403 });
  });

  it('gives each plug-in the complete authorizer', async () => {
    let allowed: unknown;
    const asking: AdmissionPluginFactory = ({ authorizer }) => ({
      name: 'Asking',
      async validate({ user, namespace }) {
        const about = { group: '', version: '*', resource: 'pods', subresource: '', namespace, name: '', path: '' };
        allowed = (await authorizer.authorize({ user, verb: 'get', resourceRequest: true, ...about })).decision;
      },
    });
    const server = await start({ admission: (defaults) => [...defaults, asking] });
    await server.client().create(configMap, { metadata: { name: 'a' } }, { namespace: 'default' });
    expect(allowed).toBe('Allow');
  });
});

describe('the list of controllers', () => {
  it.each([
    ['by default', {}],
    ['with the default controllers', { controllers: [...defaultControllers] }],
    ['with a function of the default controllers', { controllers: (defaults) => [...defaults] }],
  ] as readonly (readonly [string, ApiServerOptions])[])(
    '%s: the root CA is published, and requests are signed',
    async (_n, options) => {
      const server = await start(options);
      await server.settle();
      const maps = await server.client().list(configMap, { namespace: 'default' });
      expect(maps.items.map(({ metadata }) => metadata.name)).toEqual(['kube-root-ca.crt']);
      const { pem } = await makeRequest({ commonName: 'eve' });
      const spec = { request: btoa(pem), signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };
      const admin = server.client();
      await admin.create(certificateSigningRequest, { metadata: { name: 'r' }, spec } as never);
      const conditions = [{ type: 'Approved', status: 'True', reason: 'x', message: '' }];
      await admin.patch(certificateSigningRequest, 'r', { status: { conditions } }, { subresource: 'approval' });
      await server.settle();
      const { status } = await admin.get(certificateSigningRequest, 'r');
      expect(status.certificate).toBeTruthy();
    },
  );

  it('of one server does not affect another in the process', async () => {
    const [one, two] = [await start(), await start()];
    const rootOf = async (server: ApiServer) => {
      await server.settle();
      return (await server.client().get(configMap, 'kube-root-ca.crt', { namespace: 'default' })).data?.['ca.crt'];
    };
    expect(await rootOf(one)).toBe((await one.certificateAuthority()).certificate);
    expect(await rootOf(two)).toBe((await two.certificateAuthority()).certificate);
  });
});

describe("the listener's own kubeconfig", () => {
  /** Returns the status of a GET of namespaces with the credentials of the kubeconfig. */
  async function statusOf(text: string): Promise<number> {
    const { server, certificateAuthority, credentials } = await readKubeconfig(text);
    const { clientCertificate, clientKey } = credentials;
    return new Promise((resolve, reject) => {
      https
        .get(
          `${server}/api/v1/namespaces`,
          { ca: certificateAuthority, cert: clientCertificate, key: clientKey },
          (answer) => {
            answer.resume();
            resolve(answer.statusCode ?? 0);
          },
        )
        .on('error', reject);
    });
  }
  const foreign = createCertificateAuthority({ commonName: 'foreign' });
  it.each([
    ['by default', () => ({})],
    ['with a token authenticator only', () => ({ authentication: [tokenFile('t,u,1')] })],
    ['with an added token authenticator', () => ({ authentication: (defaults) => [...defaults, tokenFile('t,u,1')] })],
    ['without authenticators', () => ({ authentication: [] })],
    ['with another authority', (pem) => ({ authentication: [x509({ clientCA: pem })] })],
  ] as readonly (readonly [string, (pem: string) => ApiServerOptions])[])('works %s', async (_name, options) => {
    const { certificate } = await foreign;
    const server = await start(options(certificate));
    const listener = await listen(server, { clientCA: certificate });
    open.push(() => listener.close({ graceMilliseconds: 0 }));
    expect(await statusOf(await listener.kubeconfig())).toBe(200);
    expect(await statusOf(await listener.kubeconfig({ username: 'nobody', groups: [] }))).toBe(403);
  });

  it('contains all that is known of a CA without its key', async () => {
    const { certificate: clientCA } = await foreign;
    const certified = async (server: ApiServer) => {
      const made = await issueCertificate(await server.certificateAuthority(), {
        commonName: 'admin',
        organizations: ['system:masters'],
        usages: ['clientAuth'],
      });
      return whoIs(server, { chain: [derOf(made.certificate)] });
    };
    expect(await certified(await start({ authentication: [x509({ clientCA })] }))).toBe(401);
    expect(await certified(await start({ authentication: [tokenFile('t,u,1')] }))).toBe(401);
    expect(await certified(await start({ authentication: (own) => [...own, tokenFile('t,u,1')] }))).toBe('admin');
  });

  it('authenticates only with the same certificate, until it expires', async () => {
    const server = await start({ authentication: [] });
    const { certificate } = await server.issueClientCertificate({ username: 'robot', groups: ['a'] });
    const der = derOf(certificate);
    expect(await whoIs(server, { chain: [der] })).toBe('robot');
    const changed = Uint8Array.from(der);
    changed[der.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    expect(await whoIs(server, { chain: [changed] })).toBe(401);
    expect(await whoIs(server, { chain: [der.slice(1)] })).toBe(401);
    expect(await whoIs(await start({ authentication: [] }), { chain: [der] })).toBe(401);
  });
});

describe('other lists', () => {
  it('can be functions of their defaults', async () => {
    const seen: unknown[] = [];
    const server = await start({
      resources(defaults) {
        seen.push(defaults);
        return defaults;
      },
      authorization(defaults) {
        seen.push(defaults);
        return [...defaults, alwaysAllow()];
      },
    });
    expect(new Set(seen)).toEqual(new Set([defaultAuthorization, builtinResources]));
    expect(await outcome(as(server, 'anybody').list(clusterRole))).toMatchObject({ code: 200 });
  });
  it('that equal their defaults are as absent ones', async () => {
    const server = await start({ resources: [...builtinResources], authorization: [...defaultAuthorization] });
    expect((await server.client().list(clusterRole)).items.length).toBeGreaterThan(20);
    expect(await outcome(as(server, 'anybody').list(clusterRole))).toMatchObject({ code: 403 });
  });
});

describe('flags', () => {
  const namesOf = async (...argv: string[]) => {
    const plugins = await admissionOptions(parseFlags(argv));
    return plugins.map((make) => make(fakeHost() as never).name);
  };
  const defaults = [
    'NamespaceLifecycle',
    'LimitRanger',
    'ServiceAccount',
    'TaintNodesByCondition',
    'PodSecurity',
    'Priority',
    'DefaultTolerationSeconds',
    'DefaultStorageClass',
    'StorageObjectInUseProtection',
    'PersistentVolumeClaimResize',
    'RuntimeClass',
    'CertificateApproval',
    'CertificateSigning',
    'ClusterTrustBundleAttest',
    'CertificateSubjectRestriction',
    'DefaultIngressClass',
    'MutatingAdmissionWebhook',
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionWebhook',
    'ResourceQuota',
  ];
  const [lifecycle = '', ranger = '', accounts = '', ...others] = defaults;
  it.each([
    [[], defaults],
    [['--enable-admission-plugins=NodeRestriction'], [lifecycle, ranger, accounts, 'NodeRestriction', ...others]],
    [['--enable-admission-plugins=ServiceAccount'], defaults],
    [
      ['--disable-admission-plugins=ServiceAccount,NodeRestriction'],
      defaults.filter((name) => name !== 'ServiceAccount'),
    ],
  ])('%j', async (argv, names) => {
    expect(await namesOf(...argv)).toEqual(names);
  });
});

function derOf(pem: string): Uint8Array {
  const [block] = decodePem(pem);
  if (!block) throw new TypeError('no certificate');
  return block.bytes;
}
