import { isConflict, isNotFound } from '../../meta/api-error.js';
import type { Host } from '../../meta/host.js';
import {
  bootstrapExpiration,
  bootstrapNamespace,
  bootstrapSecretPrefix,
  bootstrapSecretType,
} from '../../plugins/bootstrap-tokens/bootstrap-secret.js';
import { secretText } from '../../plugins/secret-text.js';
import type { ConfigMap, Secret } from '../../resources/core/core-v1.types.js';
import { configMap } from '../../resources/core/index.js';
import { signDetached } from '../../tokens/detached-signature.js';
import { type ControllerDefinition, stopAll } from '../controller.js';

const NAMESPACE = 'kube-public';
const NAME = 'cluster-info';
const CONTENT = 'kubeconfig';
const SIGNATURE = 'jws-kubeconfig-';
const SECRET_NAME = new RegExp(`^${bootstrapSecretPrefix}([a-z0-9]{6})$`);

/**
 * Signs the content of ConfigMap cluster-info with each bootstrap token that allows signing, so that a joining node can trust the content
 * (spec 16.5). This controller never creates the ConfigMap.
 */
export const bootstrapSigner: ControllerDefinition = {
  name: 'bootstrap-signer',
  switchedBy: ['bootstrap-signer-controller', 'bootstrapsigner'],
  onRequest: true,
  follow({ host, queue }) {
    queue.add(NAME);
    const stopMaps = host.lister('', 'configmaps').onChange((next) => {
      if (next?.metadata.namespace === NAMESPACE && next.metadata.name === NAME) queue.add(NAME);
    });
    const stopSecrets = host.lister<Secret>('', 'secrets').onChange((next, previous) => {
      const { metadata, type } = next ?? previous ?? { metadata: {} };
      if (metadata.namespace === bootstrapNamespace && type === bootstrapSecretType(host.dialect)) queue.add(NAME);
    });
    return stopAll([stopMaps, stopSecrets]);
  },
  async reconcile(_key, { host, client }) {
    const current = host.lister<ConfigMap>('', 'configmaps').get(NAMESPACE, NAME);
    const data = current?.data;
    const content = data && Object.hasOwn(data, CONTENT) ? data[CONTENT] : undefined;
    if (!data || content === undefined) return;
    const signed = await signatures(content, host);
    if (sameData(withSignatures(data, signed), data)) return;
    try {
      await client.update(
        configMap,
        NAME,
        (draft) => {
          // If the content has changed in the meantime, the next reconciliation signs it.
          if (draft.data?.[CONTENT] === content) draft.data = withSignatures(draft.data, signed);
        },
        { namespace: NAMESPACE },
      );
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  },
};

type Data = Readonly<Record<string, string>>;

function withSignatures(data: Data, signed: readonly (readonly [string, string])[]): Record<string, string> {
  const others = Object.entries(data).filter(([key]) => !key.startsWith(SIGNATURE));
  return Object.fromEntries([...others, ...signed]);
}

/** Returns the signatures by all tokens that may sign, as pairs of a ConfigMap key and a signature. */
async function signatures(content: string, host: Host): Promise<[string, string][]> {
  const whole = host.dialect.rulings.bootstrapSignatureKey === 'token';
  const tokens = host
    .lister<Secret>('', 'secrets')
    .list(bootstrapNamespace)
    .flatMap((secret) => signingToken(secret, host) ?? []);
  return await Promise.all(
    tokens.map(async ({ id, secret }): Promise<[string, string]> => {
      return [`${SIGNATURE}${id}`, await signDetached(content, id, whole ? `${id}.${secret}` : secret)];
    }),
  );
}

/** Returns the bootstrap token of a secret if the token may sign. Whether the token may also authenticate does not matter. */
function signingToken(
  object: Secret,
  { dialect, clock }: Host,
): { readonly id: string; readonly secret: string } | undefined {
  const [, id] = SECRET_NAME.exec(object.metadata.name ?? '') ?? [];
  const secret = secretText(object, 'token-secret');
  const signs =
    object.type === bootstrapSecretType(dialect) &&
    secretText(object, 'token-id') === id &&
    secret !== '' &&
    bootstrapExpiration(object) > clock.now() &&
    secretText(object, 'usage-bootstrap-signing') === 'true';
  return signs && id !== undefined ? { id, secret } : undefined;
}

function sameData(a: Data, b: Data): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
