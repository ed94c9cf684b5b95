import { isJsonObject, type JsonObject } from '../../json/value.js';
import { quote } from '../../values/quote.js';
import { member, textAt, textsAt } from '../document.js';
import { KubeconfigError } from '../kubeconfig-error.js';

/** When a credential plug-in may interact with the user at the terminal. */
export type InteractiveMode = 'Never' | 'IfAvailable' | 'Always';

/** A command that provides credentials, as a kubeconfig configures it (spec 11.22). */
export interface ExecConfig {
  /** The version of the plug-in's input and output: `client.authentication.<suffix>/v1` or `/v1beta1`. */
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Variables that are added to the environment. */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** Instructions for people on how to install the command. */
  readonly installHint: string;
  /** Whether the plug-in receives the cluster's data. */
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: InteractiveMode;
}

const MODES: readonly string[] = ['Never', 'IfAvailable', 'Always'] satisfies InteractiveMode[];

/** Reads the configuration of a user's plug-in. @throws KubeconfigError for members that are missing or invalid. */
export function readExecConfig(user: JsonObject, name: string): ExecConfig | undefined {
  const exec = member(user, 'exec');
  if (exec === undefined) return undefined;
  const where = `user "${name}", exec`;
  if (!isJsonObject(exec)) throw new KubeconfigError(`${where} is no object`);
  if (member(user, 'auth-provider') !== undefined)
    throw new KubeconfigError(`authProvider cannot be provided in combination with an exec plugin for ${name}`);
  const missing = (what: string) =>
    new KubeconfigError(`${what} must be specified for ${name} to use exec authentication plugin`);
  const command = textAt(exec, 'command', where) ?? '';
  const apiVersion = textAt(exec, 'apiVersion', where) ?? '';
  if (command === '') throw missing('command');
  if (apiVersion === '') throw missing('apiVersion');
  const list = member(exec, 'env') ?? [];
  if (!Array.isArray(list)) throw new KubeconfigError(`${where}: env is no list`);
  const env = list.map((each) => {
    const entry = isJsonObject(each) ? each : {};
    const variable = textAt(entry, 'name', where) ?? '';
    if (variable === '') throw missing('env variable name');
    return { name: variable, value: textAt(entry, 'value', where) ?? '' };
  });
  const interactiveMode = textAt(exec, 'interactiveMode', where) ?? '';
  const mode = interactiveMode === '' && apiVersion.endsWith('/v1beta1') ? 'IfAvailable' : interactiveMode;
  if (mode === '') throw missing('interactiveMode');
  if (!MODES.includes(mode)) throw new KubeconfigError(`invalid interactiveMode for ${name}: ${quote(mode)}`);
  return {
    apiVersion,
    command,
    args: textsAt(exec, 'args', where),
    env,
    installHint: textAt(exec, 'installHint', where) ?? '',
    provideClusterInfo: member(exec, 'provideClusterInfo') === true,
    interactiveMode: mode as InteractiveMode, // `MODES` contains it
  };
}
