import { describe, expect, it } from 'vitest';
import type { AuthorizationAttributes } from '../../src/authorization/authorizer.js';
import { k8s } from '../../src/meta/dialect.js';
import { parseQuery } from '../../src/meta/query.js';
import type { UserInfo } from '../../src/meta/user-info.js';
import { readListOptions } from '../../src/requests/bodies/options.js';
import { requestsTo } from '../support/ask.js';
import { suiteServer } from '../support/servers.js';
import { cases, hasSharedData } from '../support/shared-data.js';

/** The user and the permissions, which each test sets. */
let caller: UserInfo = { username: '' };
let allowed: (attributes: AuthorizationAttributes) => boolean = () => true;
let asked: AuthorizationAttributes[] = [];
const server = suiteServer({
  dialect: 'k8s',
  authentication: [() => ({ name: 'test', authenticate: () => ({ outcome: 'authenticated', user: caller }) })],
  authorization: [
    () => ({
      name: 'test',
      authorize: (attributes) => {
        asked.push(attributes);
        return { decision: allowed(attributes) ? 'Allow' : 'NoOpinion', reason: '' };
      },
    }),
  ],
  controllers: [],
});
const { get, post, send } = requestsTo(server);

interface UpstreamUser {
  readonly Name: string;
  readonly UID?: string;
  readonly Groups?: readonly string[];
  readonly Extra?: Readonly<Record<string, readonly string[]>>;
}
/** Returns a user as a SelfSubjectReview prints it, without empty members. */
const userOf = ({ Name, UID, Groups, Extra = {} }: UpstreamUser): UserInfo => ({
  username: Name,
  ...(UID ? { uid: UID } : {}),
  ...(Groups ? { groups: Groups } : {}),
  ...(Object.keys(Extra).length > 0 ? { extra: Extra } : {}),
});

describe.skipIf(!hasSharedData)("impersonation: the upstream's table (skipped where the shared data is absent)", () => {
  interface Case {
    readonly name: string;
    readonly user: UpstreamUser;
    readonly impersonationUser?: string;
    readonly impersonationGroups?: readonly string[];
    readonly impersonationUserExtras?: Readonly<Record<string, readonly string[]>>;
    readonly impersonationUid?: string;
    readonly expectedUser: UpstreamUser;
    readonly expectedCode: number;
  }
  /** The resources that members of a group may impersonate: resource, or resource/subresource, with an optional name. */
  const grants: Readonly<Record<string, readonly (readonly [resource: string, name?: string])[]>> = {
    wheel: [['users']],
    'sa-impersonater': [['serviceaccounts']],
    'regular-impersonater': [['users']],
    'group-impersonater': [['groups']],
    'extra-setter-scopes': [['userextras/scopes']],
    'extra-setter-particular-scopes': [['userextras/scopes', 'scope-a']],
    'extra-setter-project': [['userextras/project']],
    'escaped-scopes': [['userextras/example.com/escaped\u16c4scopes']],
    'almost-escaped-scopes': [['userextras/almost%zzpercent%xxencoded']],
    'everything-impersonater': [['users'], ['groups'], ['userextras/scopes'], ['uids', 'some-uid']],
  };
  const mayImpersonate = ({ user, verb, resource, subresource, name }: AuthorizationAttributes) =>
    verb !== 'impersonate' ||
    user.username === 'system:admin' ||
    (user.groups ?? []).some((group) =>
      (grants[group] ?? []).some(
        ([what, only = name]) =>
          what === (subresource === '' ? resource : `${resource}/${subresource}`) && only === name,
      ),
    );

  it.each(cases<Case[]>('auth-impersonation', 'TestImpersonationFilter', 'testCases'))('$name', async (c) => {
    caller = userOf(c.user);
    allowed = mayImpersonate;
    const extras = Object.entries(c.impersonationUserExtras ?? {});
    const { status, value } = await post(
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      {},
      {
        headers: {
          ...(c.impersonationUser ? { 'Impersonate-User': c.impersonationUser } : {}),
          ...(c.impersonationGroups ? { 'Impersonate-Group': c.impersonationGroups } : {}),
          ...(c.impersonationUid ? { 'Impersonate-Uid': c.impersonationUid } : {}),
          ...Object.fromEntries(extras.map(([key, values]) => [`Impersonate-Extra-${key}`, values])),
        },
      },
    );
    // A review returns 201, where the handler of the table returns 200.
    expect(status).toBe(c.expectedCode === 200 ? 201 : c.expectedCode);
    if (status !== 201) return;
    const expected = userOf(c.expectedUser);
    // The authenticators add a group to every user; the user of the table has none.
    expect(value.status.userInfo).toEqual(
      c.impersonationUser ? expected : { ...expected, groups: expected.groups ?? ['system:authenticated'] },
    );
  });
});

describe.skipIf(!hasSharedData)("authorization attributes: upstream's table (skipped where it is absent)", () => {
  interface Case {
    readonly Verb: string;
    readonly Path: string;
    readonly EnableAuthorizationSelector?: boolean;
    readonly ExpectedAttributes: Readonly<Record<string, string | boolean>>;
  }
  const all = Object.entries(cases<Record<string, Case>>('auth-filters', 'TestGetAuthorizerAttributes', 'testcases'));
  // "enabled, ..." (good and bad field and label selector): authorization by selectors is an alpha feature of 1.31, off here.
  it.each(all.filter(([, c]) => !c.EnableAuthorizationSelector))('%s', async (_name, c) => {
    caller = { username: 'bob' };
    allowed = () => false;
    asked = [];
    const [path = '', query = ''] = c.Path.split('?', 2);
    expect((await send(c.Verb, `${path}?${query}`)).status).toBe(403);
    const { ExpectedAttributes: e } = c;
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      verb: e['Verb'],
      path: e['Path'],
      resourceRequest: e['ResourceRequest'] ?? false,
      group: e['APIGroup'] ?? '',
      version: e['APIVersion'] ?? '',
      namespace: e['Namespace'] ?? '',
      resource: e['Resource'] ?? '',
      subresource: '',
      name: e['Name'] ?? '',
    });
  });
});

describe.skipIf(!hasSharedData)("access reviews: upstream's tables (skipped where they are absent)", () => {
  interface Review {
    readonly ObjectMeta?: { readonly Name?: string; readonly Namespace?: string };
    readonly Spec: Readonly<Record<string, unknown>>;
  }
  const lower = (record: object) =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [key[0]?.toLowerCase() + key.slice(1), value]));
  async function review(path: string, { ObjectMeta = {}, Spec }: Review) {
    caller = { username: 'bob' };
    allowed = () => true;
    const body = { metadata: lower(ObjectMeta), spec: lower(Spec) };
    return await post(`/apis/authorization.k8s.io/v1/${path}`, body);
  }
  const bare = <T extends object>(name: string, table: string) => cases<T[]>('authz-misc', name, table);

  it.each(bare('TestValidateSARSpec', 'successCases'))('accepts %j', async (Spec) =>
    expect((await review('subjectaccessreviews', { Spec: { ...Spec } })).status).toBe(201),
  );
  interface Bad {
    readonly name: string;
    readonly msg: string;
    readonly obj: Readonly<Record<string, unknown>>;
  }
  it.each(bare<Bad>('TestValidateSARSpec', 'errorCases'))('refuses a subject review: $name', async ({ obj, msg }) => {
    const { status, message } = await review('subjectaccessreviews', { Spec: obj });
    expect({ status, message }).toEqual({ status: 422, message: expect.stringContaining(msg) });
  });
  it.each(bare<Bad>('TestValidateSelfSAR', 'errorCases'))(
    'refuses a self subject review: $name',
    async ({ obj, msg }) => {
      const { status, message } = await review('selfsubjectaccessreviews', { Spec: obj });
      expect({ status, message }).toEqual({ status: 422, message: expect.stringContaining(msg) });
    },
  );
  it.each(bare<Bad>('TestValidateLocalSAR', 'errorCases'))('refuses a local review: $name', async ({ obj, msg }) => {
    const { status, message } = await review('namespaces/a/localsubjectaccessreviews', obj as unknown as Review);
    expect(status).toBe(422);
    expect(message).toContain(msg);
  });
});

describe.skipIf(!hasSharedData)(
  "options of lists and watches: the upstream's table (skipped where it is absent)",
  () => {
    interface Case {
      readonly name: string;
      readonly opts: Readonly<Record<string, unknown>>;
      readonly watchListFeatureEnabled?: boolean;
      readonly expectErrors?: readonly string[];
    }
    /** Returns values in the names and notation of the API. The table writes pointers to booleans as function calls. */
    const queryOf = (opts: Case['opts']) =>
      Object.entries(opts)
        .map(([key, value]) => {
          const plain =
            value !== null && typeof value === 'object' && 'args' in value ? String(value.args) : String(value);
          return `${key[0]?.toLowerCase()}${key.slice(1)}=${encodeURIComponent(plain)}`;
        })
        .join('&');
    it.each(cases<Case[]>('meta-options', 'TestValidateListOptions', 'cases'))('$name', (c) => {
      const read = () =>
        readListOptions(parseQuery(queryOf(c.opts)), {
          dialect: k8s,
          gates: { WatchList: c.watchListFeatureEnabled ?? false },
        });
      if (!c.expectErrors) expect(read).not.toThrow();
      else for (const message of c.expectErrors) expect(read).toThrow(message);
    });
  },
);

describe.skipIf(!hasSharedData)("time limits: the upstream's table (skipped where it is absent)", () => {
  interface Case {
    readonly name: string;
    readonly requestURL: string;
    readonly statusCodeExpected: number;
  }
  // Only the status is compared, because no request takes long enough to reach its own, shorter limit.
  const rows = cases<Case[]>('auth-filters', 'TestWithRequestDeadline', 'tests');
  it.each(rows)('$name', async ({ requestURL, statusCodeExpected }) => {
    caller = { username: 'bob' };
    allowed = () => true;
    // The unit of one value is missing in the table: it is a printed duration, 1m1s.
    const [path = '', query = ''] = requestURL.replace('61000000000', '1m1s').split('?', 2);
    expect((await get(`${path}?${query}`)).status).toBe(statusCodeExpected);
  });
});
