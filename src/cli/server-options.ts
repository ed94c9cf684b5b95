import type { ApiServerOptions } from '../api-server-options.js';
import type { AuthenticatorFactory } from '../authentication/authenticator.js';
import { createCertificateAuthority, type KeyPair } from '../pki/certificate-authority.js';
import { accountTokenOptions } from './account-token-options.js';
import type { CliListen, CliServerFactory } from './cli-server.js';
import { readTextFile } from './files.js';
import type { Flags, FlagValues } from './flags.js';

/** Makes the server that the flags describe. */
export const makeServer: CliServerFactory = async (flags, log) => {
  const { ApiServer } = await import('../api-server.js');
  return new ApiServer(await serverOptions(flags, log));
};

/** Listens over HTTPS. */
export const listenOverHttp: CliListen = async (server, options) => {
  const { listen } = await import('../http/index.js');
  return await listen(server, options);
};

/** Maps flags to options of ApiServer: the only place that does. Reads the files they name. */
export async function serverOptions({ values, given }: Flags, log: (message: string) => void): Promise<ApiServerOptions> {
  const foreign = await optionalFile(values['client-ca-file']);
  // The own authority is trusted when nothing else is, and when its kubeconfig is asked for.
  const own = foreign === undefined || given.has('write-kubeconfig') ? await ownAuthority(values) : undefined;
  const rootCa = await optionalFile(values['root-ca-file']);
  return {
    dialect: values.dialect === 'k8s' ? 'k8s' : 'orch',
    log,
    authentication: await authentication(values, [foreign, own?.certificate].filter((pem) => pem !== undefined)),
    serviceAccountTokens: await accountTokenOptions(values),
    ...(own ? { certificateAuthority: own } : {}),
    ...(rootCa === undefined ? {} : { rootCertificateAuthority: rootCa }),
    featureGates: switches(values['feature-gates']),
    runtimeConfig: Object.fromEntries(values['runtime-config'] ?? []),
    requestTimeout: values['request-timeout'],
  };
}

function ownAuthority({ dialect }: FlagValues): Promise<KeyPair> {
  return createCertificateAuthority({ commonName: `${dialect}-ca` });
}

async function authentication(values: FlagValues, authorities: readonly string[]): Promise<AuthenticatorFactory[]> {
  const { x509 } = await import('../authentication/x509.js');
  const { tokenFile } = await import('../authentication/token-file.js');
  const { anonymous } = await import('../authentication/anonymous.js');
  const tokens = await optionalFile(values['token-auth-file']);
  const modes = values['authorization-mode'] ?? [];
  // Everybody is allowed everything in this mode alone: then nobody is anonymous unless that is wanted (document 2, section 5.6).
  const onlyAlwaysAllow = modes.every((mode) => mode === 'AlwaysAllow');
  return [
    ...(authorities.length > 0 ? [x509({ clientCA: authorities })] : []),
    ...(tokens === undefined ? [] : [tokenFile(tokens, { path: values['token-auth-file'] ?? '' })]),
    ...((values['anonymous-auth'] ?? !onlyAlwaysAllow) ? [anonymous()] : []),
  ];
}

async function optionalFile(path: string | undefined): Promise<string | undefined> {
  return path === undefined || path === '' ? undefined : await readTextFile(path);
}

/** @throws Error for a switch that is neither true nor false. */
function switches(given: ReadonlyMap<string, string> | undefined): Record<string, boolean> {
  const out: Record<string, boolean> = {};
  for (const [name, value] of given ?? []) {
    if (value !== 'true' && value !== 'false') throw new Error(`invalid value of ${name}: ${value}, err: strconv.ParseBool: parsing "${value}": invalid syntax`);
    out[name] = value === 'true';
  }
  return out;
}
