import { type Dialect, groupOf, ofDialect } from '../meta/dialect.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { AdmissionHost, AdmissionPlugin, AdmissionPluginFactory, AdmissionRule } from './admission-plugin.js';

/** An admission plug-in whose rules are known before it is created. */
interface RuledPlugin<T extends ApiObject | undefined> {
  readonly name: string;
  /** The requests that the plug-in may handle, with the names of API groups without the suffix of the API dialect. */
  readonly rules: readonly AdmissionRule[];
  /** Whether the plug-in also checks CONNECT requests. Default false. */
  readonly connects?: boolean;
  /** Creates what the plug-in does in one server. It must not fail, because a server calls it when a request needs the plug-in. */
  create(host: AdmissionHost): Omit<AdmissionPlugin<T>, 'name' | 'rules' | 'connects'>;
}

/** The rules of a plug-in that may handle any request. */
export const EVERY_REQUEST: readonly AdmissionRule[] = [{ operations: ['*'], apiGroups: ['*'], resources: ['*/*'] }];

interface RuledFactory extends AdmissionPluginFactory {
  readonly connects: boolean;
  readonly rulesIn: (dialect: Dialect) => readonly AdmissionRule[];
}

/** Returns the factory of a plug-in whose rules are known before it is created. */
export function ruledPlugin<T extends ApiObject | undefined>(plugin: RuledPlugin<T>): AdmissionPluginFactory<T> {
  const { name, rules, connects = false } = plugin;
  const rulesIn = ofDialect((dialect) => {
    const fullName = (stem: string) => (stem === '*' ? stem : groupOf(dialect, stem));
    return rules.map((rule) => ({ ...rule, apiGroups: rule.apiGroups.map(fullName) }));
  });
  const make: AdmissionPluginFactory<T> = (host) => ({
    name,
    connects,
    rules: rulesIn(host.dialect),
    ...plugin.create(host),
  });
  return Object.assign(make, { connects, rulesIn });
}

/** Returns whether the rules of a factory's plug-in are known before it is created. */
export const isRuled = (make: AdmissionPluginFactory): make is RuledFactory => 'rulesIn' in make;

/**
 * A plug-in of a server that is created when a request first matches its rules. Most servers never write objects of most kinds, and never
 * need the plug-ins for these kinds.
 */
export class LazyPlugin {
  readonly rules: readonly AdmissionRule[];
  readonly connects: boolean;
  readonly #make: AdmissionPluginFactory;
  readonly #host: AdmissionHost;
  #plugin: AdmissionPlugin | undefined;

  constructor(make: RuledFactory, host: AdmissionHost) {
    this.rules = make.rulesIn(host.dialect);
    this.connects = make.connects;
    this.#make = make;
    this.#host = host;
  }

  get plugin(): AdmissionPlugin {
    this.#plugin ??= this.#make(this.#host);
    return this.#plugin;
  }
}
