import type { AdmissionHost } from '../admission/admission-plugin.js';
import { serviceAccountUsername } from '../authentication/service-account-user.js';
import { privilegedGroup } from '../authorization/privileged-groups.js';
import { Client } from '../client/client.js';
import type { ClientAnswer, ClientConnection, ResourcesChange } from '../client/connection.js';
import { requestFrom, responseFrom } from '../client/fetch.js';
import type { ControllerDefinition } from '../controllers/controller.js';
import { apiError, isConflict } from '../meta/api-error.js';
import type { Clock } from '../meta/clock.js';
import type { Dialect } from '../meta/dialect.js';
import type { Host } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { Random } from '../meta/random.js';
import type { ServiceHandler } from '../meta/services/service-routes.js';
import type { UserInfo } from '../meta/user-info.js';
import type { RequestContext } from '../registry/request-context.js';
import type { ResourceRegistry } from '../registry/resource-registry.js';
import type { ResourceStore } from '../registry/resource-store.js';
import type { RegistrySnapshot } from '../registry/served/registry-snapshot.js';
import type { ServedResource } from '../registry/served/served-resource.js';
import type { WriteFence } from '../registry/writes/write-fence.js';
import type { ApiRequest } from '../requests/api-request.js';
import type { RequestEnvironment } from '../requests/environment.js';
import type { LocalCaller } from '../requests/exchange.js';
import type { Result } from '../requests/result.js';
import { answer, execute } from '../requests/serve.js';
import { refuseUnknownMembers } from '../values/did-you-mean.js';

/** The maximum number of attempts of a write that fails because other writers cause conflicts. */
const MAX_CONFLICTS = 100;
const ACCOUNT_GROUPS = ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'];

/** The user of in-process callers by default. */
export const LOOPBACK_USER: UserInfo = Object.freeze({
  username: 'system:apiserver',
  groups: Object.freeze([privilegedGroup, 'system:authenticated']),
});

/**
 * Validates the user that a caller passes.
 * @throws TypeError for a value that is not a user.
 */
export function checkUser(user: UserInfo): void {
  // The members are checked at runtime, because a JavaScript caller may pass any value.
  const { username, uid = '', groups = [], extra = {} } = Object(user) as Partial<UserInfo>;
  if (typeof username !== 'string' || username === '')
    throw new TypeError(
      "a user must be an object with a username, such as { username: 'jane', groups: ['system:authenticated'] }",
    );
  if (typeof uid !== 'string') throw new TypeError(`user "${username}": uid must be a string`);
  if (!isStrings(groups)) throw new TypeError(`user "${username}": groups must be a list of strings`);
  if (typeof extra !== 'object' || extra === null || !Object.values(extra).every(isStrings))
    throw new TypeError(`user "${username}": extra must be an object with lists of strings`);
}

/** Returns the handler of requests to the server's own Service, such as those to webhooks that aggregated API servers implement. */
export const ownHandler = (environment: RequestEnvironment): ServiceHandler => ({
  fetch: async (request, { user = LOOPBACK_USER }) =>
    responseFrom(await answer(environment, requestFrom(request), user), request),
});

const isStrings = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'string');

/**
 * Validates the options of a client in this process, and completes them.
 * @throws TypeError for an option that does not exist, and for a value that is not a user, even undefined.
 */
export function clientOptions(options: { readonly user?: UserInfo; readonly userAgent?: string }) {
  refuseUnknownMembers('client', options, ['user', 'userAgent']);
  // A program that did not find its user must not receive a client that may do everything.
  if ('user' in options && options.user === undefined)
    throw new TypeError('client: user is undefined: omit it for a client that is a member of system:masters');
  const { user, userAgent = 'client' } = options;
  if (user !== undefined) checkUser(user);
  return { userAgent, user };
}

/** The access of a client in this process to its server. */
export interface Reach extends Pick<Host, 'dialect' | 'clock' | 'random'> {
  /** Returns the environment in which a request is executed; called for each request. */
  readonly environment: () => RequestEnvironment | Promise<RequestEnvironment>;
  readonly served: () => RegistrySnapshot;
  readonly onChange: ResourceRegistry['onChange'];
}

/** Returns the access of a client to a running server. */
export const reachOf = (environment: RequestEnvironment): Reach => ({
  dialect: environment.host.dialect,
  clock: environment.host.clock,
  random: environment.host.random,
  environment: () => environment,
  served: () => environment.registry.current,
  onChange: (callback) => environment.registry.onChange(callback),
});

/**
 * Creates a client whose requests run in this process, authorized like those of any other caller.
 * @param caller.fence a condition, such as being the elected leader, that is checked for every request, and for a write again at its
 * commit.
 * @param caller.isOwn whether the server itself is the client. Default false.
 */
export function inProcessClient(
  reach: Reach,
  {
    userAgent,
    user = LOOPBACK_USER,
    ...rest
  }: Partial<Omit<LocalCaller, 'user'>> & { readonly user?: UserInfo | undefined; readonly userAgent: string },
): Client {
  return new Client(new LocalConnection(reach, { user, ...rest }), userAgent);
}

/**
 * The connection of a client to the server in its own process. It is a class to save memory, because each of a server's many controllers
 * has one.
 */
class LocalConnection implements ClientConnection {
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly random: Random;
  readonly #reach: Reach;
  readonly #caller: LocalCaller;

  constructor(reach: Reach, caller: LocalCaller) {
    this.dialect = reach.dialect;
    this.clock = reach.clock;
    this.random = reach.random;
    this.#reach = reach;
    this.#caller = caller;
  }

  async execute(request: ApiRequest): Promise<ClientAnswer> {
    const result = await this.#send(request);
    if (result.type !== 'relayed') return result;
    // The module is loaded when an aggregated API server first responds to this client, because most servers have no aggregated APIs.
    const { relayedAnswer } = await import('../client/remote/relayed-answer.js');
    const { host } = await this.#reach.environment();
    return await relayedAnswer(request, result, host, (next) => this.#send(next));
  }

  resources(): readonly ServedResource[] {
    return this.#reach.served().stored();
  }
  onResourcesChange(callback: (change: ResourcesChange) => void): () => void {
    const resourcesOf = (stores: readonly ResourceStore[]) => stores.map(({ resource }) => resource);
    return this.#reach.onChange(({ installed, uninstalled }) =>
      callback({ added: resourcesOf(installed), removed: resourcesOf(uninstalled) }),
    );
  }

  #send(request: ApiRequest): Promise<Result> {
    this.#caller.fence?.check();
    const known = this.#reach.environment();
    return known instanceof Promise
      ? known.then((made) => execute(made, request, this.#caller))
      : execute(known, request, this.#caller);
  }
}

/**
 * Creates clients for controllers.
 * @param accounts the service accounts that have roles. Controllers with other accounts are also members of `system:masters`; if `accounts`
 * is undefined, all controllers are members.
 */
export function controllerClients(
  environment: RequestEnvironment,
  accounts: ReadonlySet<string> | undefined,
): (controller: ControllerDefinition, fence?: WriteFence) => Client {
  const { dialect } = environment.host;
  const reach = reachOf(environment);
  const ofServerItself = serverClient(environment);
  return (definition, fence) => {
    const { name, account = name, ofServer = false, deletesWithoutAdmission } = definition;
    if (ofServer) return deletesWithoutAdmission ? serverClient(environment, deletesWithoutAdmission) : ofServerItself;
    const groups = accounts?.has(account) ? ACCOUNT_GROUPS : [privilegedGroup, ...ACCOUNT_GROUPS];
    const user = Object.freeze({ username: serviceAccountUsername('kube-system', account), groups });
    const userAgent = ownerOf(definition, dialect);
    return inProcessClient(reach, { user, userAgent, fence, isOwn: true });
  };
}

/** Creates the client for the leader election. The default flow schemas and role bindings refer to the client's user by name. */
export function electionClient(environment: RequestEnvironment): Client {
  const user = Object.freeze({
    username: 'system:kube-controller-manager',
    groups: [privilegedGroup, 'system:authenticated'],
  });
  const userAgent = 'kube-controller-manager';
  return inProcessClient(reachOf(environment), { user, userAgent, isOwn: true });
}

/** Returns the field manager (user agent) of a controller's writes. */
export const ownerOf = ({ ofServer = false }: ControllerDefinition, { apiServerName }: Dialect): string =>
  ofServer ? apiServerName : 'kube-controller-manager';

/**
 * Creates a client that acts as the server itself.
 * @param deletesWithoutAdmission whether it deletes collections without admission. Default false.
 */
export function serverClient(environment: RequestEnvironment, deletesWithoutAdmission?: boolean): Client {
  const userAgent = environment.host.dialect.apiServerName;
  return inProcessClient(reachOf(environment), { userAgent, isOwn: true, deletesWithoutAdmission });
}

/** Requests that plug-ins and kinds make in the name of the server itself. */
type OwnWork = Pick<AdmissionHost, 'updateStatus' | 'createNamespace'> & Pick<RequestContext, 'listAsServer'>;

/**
 * Creates the functions by which plug-ins and kinds act as the server itself.
 * @param environment called for each use.
 */
export const ownWork = (environment: () => RequestEnvironment): OwnWork => ({
  async updateStatus<T extends ApiObject>(
    group: string,
    resource: string,
    { namespace, name }: { readonly namespace: string; readonly name: string },
    change: (object: T) => object,
  ) {
    const { host } = environment();
    const client = serverClient(environment());
    const kind = kindOf(client, group, resource);
    if (!kind) throw apiError.notFound({ group, resource }, name);
    // The update starts from the cached object, because reading it would cost another request.
    for (let attempt = 1; ; attempt++) {
      const current = host.lister<T>(group, resource).get(namespace, name);
      if (!current && (attempt === MAX_CONFLICTS || !(await host.catchUp?.())))
        throw apiError.notFound({ group, resource }, name);
      if (!current) continue;
      try {
        const next = { ...current, status: change(current) };
        return void (await client.replace<ApiObject>(kind, next, { namespace, subresource: 'status' }));
      } catch (error) {
        if (!isConflict(error) || attempt === MAX_CONFLICTS) throw error;
        await host.catchUp?.();
      }
    }
  },
  async createNamespace(name) {
    const client = serverClient(environment());
    const namespaces = { group: '', resource: 'namespaces' };
    const kind = kindOf(client, namespaces.group, namespaces.resource);
    if (!kind) throw apiError.notFound(namespaces, name);
    await client.create(kind, { metadata: { name } });
  },
  async listAsServer<T extends ApiObject>(group: string, resource: string, namespace: string) {
    const client = serverClient(environment());
    const kind = kindOf(client, group, resource);
    // The list contains only objects of this kind, so the cast is safe. It is empty if the kind is not served.
    return kind ? ((await client.list(kind, { namespace })).items as readonly T[]) : [];
  },
});

/** Returns the definition of a kind; undefined if it is not served. */
const kindOf = (client: Client, group: string, resource: string) =>
  client.resources().find(({ gvr }) => gvr.group === group && gvr.resource === resource)?.definition;
