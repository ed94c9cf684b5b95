import { expect, it } from 'vitest';
import type { AuthorizationAttributes } from '../../../src/authorization/authorizer.js';
import type { UserInfo } from '../../../src/index.js';
import { ask } from '../../support/ask.js';
import { allowing, everybodyIs, openServer } from '../../support/servers.js';

// A user who writes a policy with parameters, or binds it to some, must be able to read them.

const USER = {
  username: 'jane',
  uid: 'u1',
  groups: ['dev', 'system:authenticated'],
  extra: { k: ['x', 'y'], a: ['z'] },
};
const SHOWN = '&{jane u1 [dev system:authenticated] map[a:[z] k:[x y]]}';
const GROUP = 'admissionregistration.k8s.io';
const PATH = `/apis/${GROUP}/v1`;

const policy = (paramKind?: object) => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'p' },
  spec: {
    ...(paramKind ? { paramKind } : {}),
    matchConstraints: {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'], operations: ['CREATE'] }],
    },
    validations: [{ expression: 'true' }],
  },
});
const binding = (paramRef?: object, policyName = 'p') => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'b' },
  spec: {
    policyName,
    validationActions: ['Deny'],
    ...(paramRef ? { paramRef: { parameterNotFoundAction: 'Deny', ...paramRef } } : {}),
  },
});

/** A server on which the user may write policies, and otherwise what a rule allows. `asked` contains the other authorized requests. */
async function open(rule: (about: AuthorizationAttributes) => boolean = () => false, user: UserInfo = USER) {
  const asked: string[] = [];
  const server = await openServer({
    authentication: [everybodyIs(user)],
    authorization: [
      allowing((about) => {
        if (about.group === GROUP) return true;
        const { verb, group, version, resource, namespace, name } = about;
        asked.push([verb, group, version, resource, namespace, name].join(' '));
        return rule(about);
      }),
    ],
  });
  const send = async (method: string, path: string, body: object) => {
    const answer = await ask(server, {
      method,
      path: PATH + path,
      body,
      headers: { 'content-type': method === 'POST' ? 'application/json' : 'application/merge-patch+json' },
    });
    return [
      answer.status,
      ...(answer.value.details?.causes ?? []).map((c: Record<string, string>) => `${c['field']}: ${c['message']}`),
    ];
  };
  return { server, asked, send, create: (body: { kind: string }) => send('POST', pathOf(body), body) };
}
const pathOf = ({ kind }: { kind: string }) =>
  kind.endsWith('Binding') ? '/validatingadmissionpolicybindings' : '/validatingadmissionpolicies';

const CONFIG_MAPS = { apiVersion: 'v1', kind: 'ConfigMap' };
const UNKNOWN = { apiVersion: 'foo.example.com/v1', kind: 'Params' };
const mustGet = ({ apiVersion, kind }: typeof UNKNOWN) =>
  `spec.paramKind: Forbidden: user ${SHOWN} must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`;

it.each<[string, object | undefined, string[], (number | string)[]]>([
  ['without parameters: none', undefined, [], [201]],
  ['with parameters: to get them', CONFIG_MAPS, ['get  v1 configmaps * *'], [422, mustGet(CONFIG_MAPS)]],
  [
    'with the wrong name of a kind: to get everything in its version',
    { apiVersion: 'v1', kind: 'configmap' },
    ['get  v1 * * *'],
    [422, mustGet({ apiVersion: 'v1', kind: 'configmap' })],
  ],
  [
    'with parameters of an unknown kind: to get them',
    UNKNOWN,
    ['get foo.example.com v1 * * *'],
    [422, mustGet(UNKNOWN)],
  ],
])('needs permissions to create a policy %s', async (_, paramKind, questions, answer) => {
  const { server, asked, create } = await open();
  await using _server = server;
  expect([await create(policy(paramKind)), asked]).toEqual([answer, questions]);
});

it('permission for a policy is checked only when its kind of parameters changes', async () => {
  const { server, asked, create, send } = await open(({ resource }) => resource === 'configmaps');
  await using _server = server;
  expect(await create(policy(CONFIG_MAPS))).toEqual([201]);
  const path = '/validatingadmissionpolicies/p';
  const labelled = { metadata: { labels: { a: 'b' } } };
  expect([await send('PATCH', path, labelled), asked.length]).toEqual([[200], 1]);
  const secrets = { apiVersion: 'v1', kind: 'Secret' };
  expect(await send('PATCH', path, { spec: { paramKind: secrets } })).toEqual([422, mustGet(secrets)]);
  expect(await send('PATCH', path, { spec: { paramKind: null } })).toEqual([200]);
});

const refused = (verb: string) =>
  `spec.paramRef: Forbidden: user ${SHOWN} does not have "${verb}" permission on the object referenced by paramRef`;
const unable = (what: string, verb = 'get') =>
  `spec.paramRef: Forbidden: unable to ${what} to determine minimum required permissions and user ${SHOWN} does not have "${verb}" permission for all groups, versions and resources`;

it.each<[string, object | undefined, object, string[], (number | string)[]]>([
  ['without parameters: none', CONFIG_MAPS, binding(), [], [201]],
  [
    'to a parameter object: to get it',
    CONFIG_MAPS,
    binding({ name: 'x' }),
    ['get  v1 configmaps  x'],
    [422, refused('get')],
  ],
  [
    'to a parameter object of a namespace: to get it',
    CONFIG_MAPS,
    binding({ name: 'x', namespace: 'n' }),
    ['get  v1 configmaps n x'],
    [422, refused('get')],
  ],
  [
    'to selected parameter objects: to list them',
    CONFIG_MAPS,
    binding({ selector: {} }),
    ['list  v1 configmaps  '],
    [422, refused('list')],
  ],
  [
    'of a policy without parameters: to get everything',
    undefined,
    binding({ name: 'x' }),
    ['get * * *  x'],
    [422, refused('get')],
  ],
  [
    'to parameters of an unknown kind: to list them',
    UNKNOWN,
    binding({ selector: {} }),
    ['list foo.example.com v1 *  '],
    [422, unable('resolve paramKind &{foo.example.com/v1 Params}', 'list')],
  ],
  [
    'of an unknown policy: to get everything',
    CONFIG_MAPS,
    binding({ name: 'x' }, 'gone'),
    ['get * * *  x'],
    [422, unable('get policy gone')],
  ],
])('needs permissions to create a binding %s', async (_, paramKind, body, questions, answer) => {
  const { server, asked, create } = await open();
  await using _server = server;
  await server.load([policy(paramKind)]);
  expect([await create(body as never), asked]).toEqual([answer, questions]);
});

it('permission for a binding is checked at every write', async () => {
  let mayRead = true;
  const { server, asked, create, send } = await open(() => mayRead);
  await using _server = server;
  await server.load([policy(CONFIG_MAPS)]);
  expect(await create(binding({ name: 'x' }))).toEqual([201]);
  mayRead = false;
  const labelled = { metadata: { labels: { a: 'b' } } };
  const path = '/validatingadmissionpolicybindings/b';
  expect([await send('PATCH', path, labelled), asked.length]).toEqual([[422, refused('get')], 2]);
  expect(await send('PATCH', path, { spec: { paramRef: null } })).toEqual([200]);
});

it('users who may do everything are not checked', async () => {
  const { server, asked, create } = await open(() => false, { username: 'root', groups: ['system:masters'] });
  await using _server = server;
  expect([await create(policy(CONFIG_MAPS)), await create(binding({ name: 'x' })), asked]).toEqual([[201], [201], []]);
});
