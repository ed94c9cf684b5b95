import { lstat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { AuthorizerFactory } from '../../authorization/authorizer.js';
import { isJsonObject, type JsonValue } from '../../json/value.js';
import { featureGates } from '../../meta/features/feature-gates.js';
import type { WebhookConnection } from '../../outbound/review-webhook.js';
import { messageOf } from '../../values/message-of.js';
import { featureSwitches } from '../feature-switches.js';
import { readTextFile } from '../files.js';
import type { FlagValues } from '../flags.js';
import { selectedDialect } from '../selected-dialect.js';
import type { FollowedFile } from './follow-file.js';
import { parseConfiguration, readConfiguration } from './read-configuration.js';
import { readWebhookConnection } from './webhook-connection.js';

/** The authorizers, and the files that are read again when they change. */
export interface AuthorizationOptions {
  readonly authorization: readonly AuthorizerFactory[];
  readonly followed: readonly FollowedFile[];
}

/** Returns the authorizers of `--authorization-config` (spec 12.13). @throws Error for files that cannot be used. */
export async function authorizationFile(
  values: FlagValues,
  path: string,
  log: (message: string) => void,
): Promise<AuthorizationOptions> {
  const gates = featureGates(featureSwitches(values['feature-gates']));
  const { authorizationConfiguration } = await import('../../plugins/authorization-configuration.js');
  const { text, value, problems } = await readConfiguration(path);
  const policyFile = values['authorization-policy-file'];
  const { connections, failure } = await readConnections(value, values);
  // The cast is safe, because `authorizationConfiguration` validates the value.
  const configured = await authorizationConfiguration(value as never, {
    dialect: selectedDialect(values).name,
    connections,
    typed: true,
    problems,
    selectors: gates.AuthorizeWithSelectors,
    ...(policyFile ? { abacPolicy: { text: await readTextFile(policyFile), path: policyFile } } : {}),
  });
  if (failure) throw failure;
  warnOfAlwaysAllow(value, path, log);
  const take = async (next: string) => {
    const read = await parseConfiguration(next);
    const again = await readConnections(read.value, values);
    if (again.failure) throw again.failure;
    await configured.replace(read.value, {
      problems: read.problems,
      connections: again.connections,
    });
    warnOfAlwaysAllow(read.value, path, log);
  };
  return { ...configured, followed: [{ configures: 'authorization', path, text, take, log }] };
}

/**
 * Warns about AlwaysAllow in the file. As in upstream, AlwaysAllow in the file leaves anonymous requests on, while AlwaysAllow in
 * `--authorization-mode` turns them off.
 */
function warnOfAlwaysAllow(configuration: unknown, path: string, log: (message: string) => void): void {
  // The cast is safe, because the configuration has already been validated.
  const { authorizers } = configuration as { readonly authorizers: readonly { readonly type: string }[] };
  if (authorizers.some(({ type }) => type === 'AlwaysAllow'))
    log(
      `authorization: every user may do everything (AlwaysAllow in ${path}), even without credentials unless anonymous requests are off`,
    );
}

interface Connections {
  readonly connections: Readonly<Record<string, WebhookConnection | string>>;
  /** The first error in a referenced kubeconfig. Errors of the configuration itself take precedence over it. */
  readonly failure: Error | undefined;
}

/**
 * Reads the kubeconfigs that a configuration refers to, or finds out why they cannot be used. Members of a wrong type are skipped, because
 * validation reports them.
 */
async function readConnections(configuration: unknown, values: FlagValues): Promise<Connections> {
  const connections = new Map<string, WebhookConnection | string>();
  let failure: Error | undefined;
  const member = (value: unknown, name: string): JsonValue | undefined =>
    isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  const authorizers = member(configuration, 'authorizers');
  for (const authorizer of Array.isArray(authorizers) ? authorizers : []) {
    const path = member(member(member(authorizer, 'webhook'), 'connectionInfo'), 'kubeConfigFile');
    if (typeof path !== 'string' || !isAbsolute(path) || connections.has(path)) continue;
    const problem = await fileProblem(path);
    const read = problem ?? (await readWebhookConnection(path, values).catch((error: Error) => error));
    if (read instanceof Error) failure ??= read;
    connections.set(path, read instanceof Error ? { server: '' } : read);
  }
  return { connections: Object.fromEntries(connections), failure };
}

/** Returns why a file cannot be used, or undefined when it can. */
async function fileProblem(path: string): Promise<string | undefined> {
  try {
    // A symbolic link is refused, because its target could change.
    return (await lstat(path)).isFile() ? undefined : 'must be a regular file';
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return `error loading file: ${missing ? `lstat ${path}: no such file or directory` : messageOf(error)}`;
  }
}

/** Returns the authorizer of mode Webhook in `--authorization-mode`. @throws Error for flags or files that cannot be used. */
export async function authorizationWebhook(values: FlagValues): Promise<AuthorizerFactory> {
  const version = values['authorization-webhook-version'];
  if (version !== 'v1' && version !== 'v1beta1')
    throw new Error(
      `invalid authorization config: unsupported webhook authorizer version "${version}", supported versions are "v1", "v1beta1"`,
    );
  const { webhook } = await import('../../authorization/webhook/webhook.js');
  return webhook({
    name: 'default',
    connection: await readWebhookConnection(values['authorization-webhook-config-file'] ?? '', values),
    version,
    allowedLifetime: values['authorization-webhook-cache-authorized-ttl'],
    otherLifetime: values['authorization-webhook-cache-unauthorized-ttl'],
  });
}
