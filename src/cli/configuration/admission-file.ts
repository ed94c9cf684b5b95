import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { PluginConfiguration } from '../../admission/admission-configuration.js';
import type { AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { isJsonObject } from '../../json/value.js';
import { systemClock } from '../../meta/clock.js';
import { fieldError, formatFieldError } from '../../meta/field-error.js';
import type { WebhookClientOptions, WebhookCredentials } from '../../outbound/webhook-client.js';
import type { DecodeConfigurationOptions } from '../../schema/configuration/decode-configuration.js';
import { messageOf } from '../../values/message-of.js';
import { quote } from '../../values/quote.js';
import { readTextFile } from '../files.js';
import type { FlagValues } from '../flags.js';
import { selectedDialect } from '../selected-dialect.js';
import { type ConfigurationText, readConfiguration } from './read-configuration.js';

type Found = Pick<ConfigurationText, 'value' | 'problems'>;
type MakePlugin = (
  found: Found,
  options: DecodeConfigurationOptions,
  values: FlagValues,
) => Promise<AdmissionPluginFactory>;

/** The plug-ins that can be configured, each with a function that creates it from its configuration. */
const CONFIGURED: Readonly<Record<string, MakePlugin>> = {
  async PodSecurity({ value }, options) {
    const { podSecurity } = await import('../../plugins/pod-security/pod-security.js');
    const { podSecurityConfiguration } = await import('../../plugins/pod-security/pod-security-configuration.js');
    return podSecurity(podSecurityConfiguration(value, options));
  },
  async ResourceQuota({ value }, options) {
    const { resourceQuotaAdmission } = await import('../../plugins/quota/resource-quota.js');
    const { resourceQuotaConfiguration } = await import('../../plugins/quota/resource-quota-configuration.js');
    return resourceQuotaAdmission(resourceQuotaConfiguration(value, options));
  },
  async MutatingAdmissionWebhook({ value }, options) {
    const { mutatingAdmissionWebhook } = await import('../../plugins/webhook/webhook-plugins.js');
    return mutatingAdmissionWebhook(await webhookOptions(value, options));
  },
  async ValidatingAdmissionWebhook({ value }, options) {
    const { validatingAdmissionWebhook } = await import('../../plugins/webhook/webhook-plugins.js');
    return validatingAdmissionWebhook(await webhookOptions(value, options));
  },
  async EventRateLimit({ value }, options) {
    const { eventRateLimit } = await import('../../plugins/events/event-rate-limit.js');
    const { eventRateLimitConfiguration } = await import('../../plugins/events/event-rate-limit-configuration.js');
    return eventRateLimit(eventRateLimitConfiguration(value, options));
  },
  async ImagePolicyWebhook({ value }, _options, values) {
    const { imagePolicyWebhook } = await import('../../plugins/pods/image-policy-webhook.js');
    const { imagePolicyConfiguration } = await import('../../plugins/pods/image-policy-configuration.js');
    const { readWebhookConnection } = await import('./webhook-connection.js');
    const { kubeConfigFile, ...policy } = imagePolicyConfiguration(value);
    return imagePolicyWebhook({ ...policy, connection: await readWebhookConnection(kubeConfigFile, values) });
  },
  async PodNodeSelector({ value }) {
    const { podNodeSelector } = await import('../../plugins/pods/pod-node-selector.js');
    const { nodeSelectorConfiguration } = await import('../../plugins/pods/node-selector-configuration.js');
    return podNodeSelector(nodeSelectorConfiguration(value));
  },
  async PodTolerationRestriction({ value }, options) {
    const { podTolerationRestriction } = await import('../../plugins/pods/pod-toleration-restriction.js');
    const { podTolerationConfiguration } = await import('../../plugins/pods/toleration-configuration.js');
    return podTolerationRestriction(podTolerationConfiguration(value, options));
  },
};

/**
 * Returns the plug-ins that `--admission-control-config-file` configures, by name. If a plug-in has several configurations, the first is
 * used. Configurations of plug-ins that do not run or cannot be configured are ignored.
 * @param running names of the plug-ins that run
 * @throws Error for a configuration that cannot be used.
 */
export async function configuredPlugins(
  values: FlagValues,
  running: ReadonlySet<string>,
): Promise<ReadonlyMap<string, AdmissionPluginFactory>> {
  const plugins = new Map<string, AdmissionPluginFactory>();
  const file = values['admission-control-config-file'];
  if (!file) return plugins;
  const { groupSuffix } = selectedDialect(values);
  for (const { name, path, configuration } of await readPlugins(file, groupSuffix)) {
    const make = Object.hasOwn(CONFIGURED, name) ? CONFIGURED[name] : undefined;
    if (!make || plugins.has(name) || !running.has(name)) continue;
    if (configuration === undefined && path === undefined) continue;
    const plugin = await initialize(name, async () => {
      const decoded =
        configuration === undefined
          ? await readConfiguration(resolve(dirname(file), path ?? ''))
          : { value: configuration, problems: [] };
      return make(decoded, { groupSuffix, problems: decoded.problems }, values);
    });
    plugins.set(name, plugin);
  }
  return plugins;
}

/** Creates a plug-in. @throws Error with the name of the plug-in when the creation fails. */
export async function initialize(
  name: string,
  make: () => Promise<AdmissionPluginFactory>,
): Promise<AdmissionPluginFactory> {
  try {
    return await make();
  } catch (error) {
    const why = `failed to initialize admission: couldn't init admission plugin ${quote(name)}: ${messageOf(error)}`;
    throw new Error(why, { cause: error });
  }
}

async function readPlugins(file: string, groupSuffix: string): Promise<readonly PluginConfiguration[]> {
  const { admissionConfiguration } = await import('../../admission/admission-configuration.js');
  const refuse = (why: string, cause: unknown) =>
    new Error(`failed to initialize admission: failed to read plugin config: ${why}`, { cause });
  const { value, problems } = await readConfiguration(file).catch((error: unknown) => {
    throw refuse(`unable to read admission control configuration from ${quote(file)} [${messageOf(error)}]`, error);
  });
  try {
    return admissionConfiguration(value, { groupSuffix, problems });
  } catch (error) {
    if (isJsonObject(value) && LEGACY.some(({ member }) => member in value))
      return LEGACY.map(({ name }): PluginConfiguration => ({ name, configuration: value }));
    throw refuse(messageOf(error), error);
  }
}

/** The plug-ins whose own configuration, without a kind, may be the whole file, as in early releases. */
const LEGACY = [
  { name: 'ImagePolicyWebhook', member: 'imagePolicy' },
  { name: 'PodNodeSelector', member: 'podNodeSelectorPluginConfig' },
];

/** Returns the credentials for webhooks from the kubeconfig that a configuration refers to. */
async function webhookOptions(value: unknown, options: DecodeConfigurationOptions): Promise<WebhookClientOptions> {
  const { webhookAdmissionConfiguration } = await import('../../admission/admission-configuration.js');
  const { readKubeconfigUsers } = await import('../../kubeconfig/read-kubeconfig.js');
  const { impersonationHeaders } = await import('../../kubeconfig/impersonation-headers.js');
  const { TokenFileSource } = await import('../../kubeconfig/token-file.js');
  const file = webhookAdmissionConfiguration(value, options);
  if (!isAbsolute(file))
    throw new Error(formatFieldError(fieldError.invalid('kubeConfigFile', file, 'must be an absolute file path')));
  const fromHere = (path: string) => readTextFile(isAbsolute(path) ? path : join(dirname(file), path));
  const { users, current } = await readKubeconfigUsers(await readTextFile(file), { readFile: fromHere });
  const shown = new Map<string, () => Promise<WebhookCredentials>>();
  for (const [name, { exec, tokenFile, token, impersonate, ...user }] of users) {
    if (exec) throw new Error(`user ${quote(name)} uses exec, which is not supported for webhooks`);
    const { headers = {}, repeatedHeaders = {} } = impersonate ? impersonationHeaders(impersonate) : {};
    const single = Object.entries(headers).map(([header, value]) => [header, [value]] as const);
    const acting = { ...Object.fromEntries(single), ...repeatedHeaders };
    // Another program renews the token file, so the file is read again periodically.
    const source = tokenFile && new TokenFileSource(() => fromHere(tokenFile), token ?? '', systemClock);
    shown.set(name, async () => ({
      ...user,
      ...(source ? { token: await source.token() } : token === undefined ? {} : { token }),
      ...(Object.keys(acting).length === 0 ? {} : { headers: acting }),
    }));
  }
  return { credentials: (server) => (userOf(server, shown) ?? shown.get('*') ?? shown.get(current))?.() };
}

/**
 * Finds the kubeconfig user for a webhook server. The user's name is the host and port of the server, in which `*` may replace the first
 * labels, and port 443 may be omitted.
 */
function userOf<User>(server: string, users: ReadonlyMap<string, User>): User | undefined {
  const withoutPort = server.endsWith(':443') ? [server.slice(0, -':443'.length)] : [];
  for (const name of [server, ...withoutPort]) {
    const parts = name.split('.');
    const wildcards = parts.slice(1).map((_, i) => `*.${parts.slice(i + 1).join('.')}`);
    for (const key of [name, ...wildcards]) {
      const user = users.get(key);
      if (user) return user;
    }
  }
  return undefined;
}
