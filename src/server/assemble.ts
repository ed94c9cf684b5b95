import { defaultAdmission } from '../admission/default-admission.js';
import { rbacEscalation } from '../admission/rbac-escalation.js';
import { anonymous } from '../authentication/anonymous.js';
import type { AuthenticatorFactory } from '../authentication/authenticator.js';
import { x509 } from '../authentication/certificates/x509.js';
import { requestAuthenticator } from '../authentication/request-authenticator.js';
import { serviceAccountTokens } from '../authentication/service-accounts/service-account-token.js';
import { ALWAYS_ALLOW } from '../authorization/always-allow.js';
import { defaultAuthorization } from '../authorization/default-authorization.js';
import { privilegedGroups } from '../authorization/privileged-groups.js';
import { RBAC } from '../authorization/rbac/rbac.js';
import { rbacGroup } from '../authorization/rbac/rbac-objects.js';
import { unionAuthorizer } from '../authorization/union.js';
import type { ControllerHost } from '../controllers/controller.js';
import { ControllerManager } from '../controllers/controller-manager.js';
import { defaultControllers } from '../controllers/default-controllers.js';
import { selectControllers } from '../controllers/select-controllers.js';
import { serverAuthorities } from '../controllers/server-authorities.js';
import { systemClock } from '../meta/clock.js';
import type { Host } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import { pluginsOf } from '../meta/plugin-list.js';
import { systemRandom } from '../meta/random.js';
import { systemFetch } from '../outbound/system-fetch.js';
import { StoreListers } from '../registry/reads/store-listers.js';
import { prepareDefinitions, type ResourceDefinition } from '../registry/resource-definition.js';
import { ResourceRegistry } from '../registry/resource-registry.js';
import { servedDefinitions } from '../registry/served/runtime-config.js';
import { builtinResources } from '../resources/index.js';
import { systemSignatures } from '../signatures/system-signatures.js';
import type { Storage } from '../store/storage.js';
import { requestEnvironment } from './environment.js';
import type { Given, ServerParts } from './parts.js';
import { SecretTokenUses } from './secret-token-uses.js';

/** The kinds of a server, their patterns compiled. @throws SyntaxError for a bad pattern. */
export async function prepareKinds({ options, dialect }: Given): Promise<readonly ResourceDefinition[]> {
  const resources = pluginsOf(options.resources, builtinResources);
  await prepareDefinitions(resources);
  return servedDefinitions(resources, options.runtimeConfig ?? {}, dialect);
}

/**
 * Makes the parts of a server, each from those before: host, authorization, authentication, admission, registry, requests,
 * controllers. The default of every list of plug-ins is named here.
 * @throws TypeError for options that contradict each other.
 */
export function assemble(
  given: Given,
  storage: Storage<ApiObject>,
  served: readonly ResourceDefinition[],
): ServerParts {
  const { options, dialect, ownAuthority, accountTokens, progress } = given;
  const listers = new StoreListers(storage);
  const host = makeHost(given, listers);

  const authorizers = [
    privilegedGroups(),
    ...pluginsOf(options.authorization, defaultAuthorization).map((make) => make(host)),
  ];
  const authorizer = unionAuthorizer(authorizers);

  const trustOwn = x509({ clientCA: () => ownAuthority.certificate() });
  // Where everybody is allowed everything, nobody is anonymous unless that is wanted (spec 11.19).
  const allowsAll = authorizers.slice(1).every(({ name }) => name === ALWAYS_ALLOW) && authorizers.length > 1;
  const authentication = pluginsOf(options.authentication, [trustOwn, ...(allowsAll ? [] : [anonymous()])]);
  const secretTokenUses = new SecretTokenUses();
  const serverHost: ControllerHost = {
    ...host,
    authorizer,
    accountTokens,
    authorities: serverAuthorities({
      own: () => ownAuthority.keyPair(),
      root: options.rootCertificateAuthority,
      signing: options.certificateSigning,
      trust: options.authenticationTrust,
      trustsOwn: authentication.includes(trustOwn),
    }),
    onSecretTokenUse: (callback) => secretTokenUses.onUse(callback),
  };
  const authenticator = makeAuthenticator(given, authentication, secretTokenUses, serverHost);

  // The last is not an option: nobody hands out what he does not hold.
  const admission = [...pluginsOf(options.admission, defaultAdmission), rbacEscalation].map((make) => make(serverHost));
  const registry = new ResourceRegistry(served, dialect, storage, admission);
  listers.serve(registry);

  const roles =
    authorizers.some(({ name, includes }) => name === RBAC || includes?.includes(RBAC)) &&
    registry.current.find(rbacGroup(dialect), 'v1', 'clusterroles') !== undefined;
  const environment = requestEnvironment({ ...given, host: serverHost, registry, authenticator, roles });

  const definitions = selectControllers(
    pluginsOf(options.controllers, defaultControllers),
    options.runControllers ?? ['*'],
    host.log,
  );
  const controllers = new ControllerManager(options.controllerMode !== 'stepped');
  return {
    environment,
    authorizers,
    storage,
    listers,
    controllers,
    starting: { host: serverHost, definitions, roles, progress },
  };
}

function makeHost({ options, dialect }: Given, listers: StoreListers): Host {
  const { clock = systemClock, random = systemRandom, signatures = systemSignatures } = options;
  const { fetch = systemFetch, log = () => {} } = options;
  const lister: Host['lister'] = (group, resource) => listers.lister(group, resource);
  return { dialect, clock, random, signatures, fetch, log, lister };
}

/** A server always knows its own tokens, and the certificates that it has made itself. */
function makeAuthenticator(
  { accountTokens, ownAuthority, dialect }: Given,
  given: readonly AuthenticatorFactory[],
  uses: SecretTokenUses,
  host: ControllerHost,
) {
  const onSecretUse = (namespace: string, secret: string) => uses.report(namespace, secret);
  // Own tokens first: they are nobody else's business, least of all a webhook's.
  const all = [serviceAccountTokens({ ...accountTokens, onSecretUse }), ...given, ownAuthority.authenticator];
  const { apiAudiences } = accountTokens;
  return requestAuthenticator(
    all.map((make) => make(host)),
    host,
    { apiAudiences, groupSuffix: dialect.groupSuffix },
  );
}
