import type { AdmissionPluginFactory } from '../admission/admission-plugin.js';
import type { AuthorizerFactory } from '../authorization/authorizer.js';
import type { LoadAdmissionPlugin } from '../plugins/optional-admission.js';
import { messageOf } from '../values/message-of.js';
import { authorizationModes } from './authorization-modes.js';
import type { AuthorizationOptions } from './configuration/authorization-file.js';
import { readTextFile } from './files.js';
import type { Flags, FlagValues } from './flags.js';

/**
 * Returns the authorizers of `--authorization-config`, or of `--authorization-mode` in the order of its value. Without either flag
 * everything is allowed (spec 12.3, 12.13).
 * @throws Error for files that cannot be used.
 */
export async function authorizationOptions(
  { values }: Flags,
  log: (message: string) => void,
): Promise<AuthorizationOptions> {
  const file = values['authorization-config'];
  if (file) return await (await import('./configuration/authorization-file.js')).authorizationFile(values, file, log);
  const authorization: AuthorizerFactory[] = [];
  for (const mode of authorizationModes(values) ?? []) {
    if (mode === 'AlwaysAllow') log(`authorization: ${allowedUsers(values)} (mode AlwaysAllow)`);
    const factory = await authorizerOf(mode, values);
    if (factory) authorization.push(factory);
  }
  return { authorization, followed: [] };
}

/** As in upstream, mode AlwaysAllow turns off anonymous requests except those that the file of `--authentication-config` turns on. */
function allowedUsers({ 'authentication-config': file }: FlagValues): string {
  return file
    ? `every user may do everything, even without credentials if ${file} turns on anonymous requests`
    : 'every authenticated user may do everything';
}

async function authorizerOf(mode: string, values: FlagValues): Promise<AuthorizerFactory | undefined> {
  switch (mode) {
    case 'AlwaysAllow':
      return (await import('../authorization/always-allow.js')).alwaysAllow();
    case 'AlwaysDeny':
      return (await import('../authorization/always-deny.js')).alwaysDeny();
    case 'RBAC':
      return (await import('../plugins/rbac/rbac.js')).rbac();
    case 'Node':
      return (await import('../plugins/nodes/node-authorizer.js')).node();
    case 'ABAC': {
      const path = values['authorization-policy-file'] ?? '';
      const { abac } = await import('../authorization/abac.js');
      const policies = abac(await readTextFile(path).catch(refuse), { path });
      return (host) => {
        try {
          return policies(host);
        } catch (error) {
          return refuse(error);
        }
      };
    }
    case 'Webhook':
      return (await import('./configuration/authorization-file.js')).authorizationWebhook(values);
    default:
      return undefined;
  }
}

function refuse(error: unknown): never {
  throw new Error(`invalid authorization config: ${messageOf(error)}`, { cause: error });
}

/**
 * Returns the admission plug-ins: the default ones without those of `--disable-admission-plugins` but with those of
 * `--enable-admission-plugins`, configured by `--admission-control-config-file`. If `--admission-control` is given, only the plug-ins it
 * names are returned.
 * @throws Error for a configuration that cannot be used.
 */
export async function admissionOptions({ values }: Flags): Promise<AdmissionPluginFactory[]> {
  const { defaultAdmissionByName } = await import('../plugins/default-admission.js');
  const { optionalAdmission } = await import('../plugins/optional-admission.js');
  const only = values['admission-control'];
  const enabled = new Set(only ?? values['enable-admission-plugins'] ?? []);
  const disabled = new Set(values['disable-admission-plugins'] ?? []);
  const { defaultTolerationSeconds } = await import('../plugins/pods/default-toleration-seconds.js');
  const seconds = {
    notReady: values['default-not-ready-toleration-seconds'],
    unreachable: values['default-unreachable-toleration-seconds'],
  };
  const byName = new Map(defaultAdmissionByName).set('DefaultTolerationSeconds', defaultTolerationSeconds(seconds));
  const all: [string, LoadAdmissionPlugin][] = [];
  const addOptional = (next: string) => {
    for (const [name, { before, load }] of optionalAdmission)
      if (before === next && enabled.has(name)) all.push([name, load]);
  };
  for (const [name, plugin] of byName) {
    addOptional(name);
    if (only ? enabled.has(name) : !disabled.has(name)) all.push([name, async () => plugin]);
  }
  addOptional('');
  const { configuredPlugins, initialize } = await import('./configuration/admission-file.js');
  const configured = await configuredPlugins(values, new Set(all.map(([name]) => name)));
  return Promise.all(all.map(([name, load]) => configured.get(name) ?? initialize(name, load)));
}
