import type { Environment, Type } from '../../cel/index.js';
import { type Work, withinWork } from '../../cel/values/work.js';
import { errorsOf, type FieldError, fieldError } from '../../meta/field-error.js';
import type { Host } from '../../meta/host.js';
import { qualifiedName } from '../../meta/names.js';
import { messageOf } from '../../values/message-of.js';
import { trimSpace } from '../../values/trim-space.js';
import { validateOptional } from '../shared/value-rules.js';
import type { MatchCondition } from './admissionregistration-v1.types.js';

export type Cel = typeof import('../../cel/rules.js');

/** Loads the CEL engine. It is large, so it is loaded only for the first expression. */
export const loadCel = (): Promise<Cel> => import('../../cel/rules.js');

/**
 * An expression that the stored object does not contain may use only the libraries of the previous release, because servers of that release
 * may have to read it. Stored expressions may use all libraries.
 */
const NEW_RELEASE = 30;
const STORED_RELEASE = 31;

export interface ExpressionOptions {
  readonly params?: boolean;
  readonly authorizer?: boolean;
  readonly variables?: InstanceType<Cel['Composition']> | undefined;
}

/** The members of `Host` that determine the CEL environment of expressions. */
export type ExpressionHost = Pick<Host, 'dialect' | 'gates'>;

/** Checks the expressions of one object. */
export class ExpressionRules {
  readonly cel: Cel;
  readonly #host: ExpressionHost;
  readonly #work: Work;
  readonly #environments = new Map<string, Environment>();

  /** @param work the work that is left to compile the expressions of the object */
  constructor(cel: Cel, host: ExpressionHost, work: Work) {
    this.cel = cel;
    this.#host = host;
    this.#work = work;
  }

  /** Compiles an expression with the libraries that it may use. @throws CompilationFailed with upstream's message */
  compile(source: string, stored: boolean, options: ExpressionOptions, expectedKinds: readonly Type['kind'][] = []) {
    const environment = this.#environmentOf(stored, options);
    return withinWork(this.#work, () => this.cel.compileTyped(environment, source, expectedKinds));
  }

  /** Returns the validation errors of an expression. @param shown the value in the error message. Default: the source. */
  problems(
    path: string,
    source: string,
    { stored, shown = source, ...options }: ExpressionOptions & { readonly stored: boolean; readonly shown?: string },
    expectedKinds: readonly Type['kind'][],
  ): FieldError[] {
    try {
      this.compile(source, stored, options, expectedKinds);
      return [];
    } catch (error) {
      if (!(error instanceof this.cel.CompilationFailed)) throw error;
      return [fieldError.invalid(path, shown, messageOf(error))];
    }
  }

  /** Returns the cached environment for a set of options. Variables that are added to `variables` later are available in it, too. */
  #environmentOf(stored: boolean, { params = false, authorizer = false, variables }: ExpressionOptions): Environment {
    const key = `${stored} ${params} ${authorizer} ${variables !== undefined}`;
    let environment = this.#environments.get(key);
    if (environment === undefined) {
      const release = stored ? STORED_RELEASE : NEW_RELEASE;
      const { dialect, gates } = this.#host;
      const authorizerSelectors = gates.AuthorizeWithSelectors;
      const declaredVariables = variables === undefined ? {} : { variables };
      environment = this.cel.admissionEnvironment({
        ...{ release, params, authorizer, authorizerSelectors },
        ...this.cel.languageOf(dialect),
        ...declaredVariables,
      });
      this.#environments.set(key, environment);
    }
    return environment;
  }
}

const MAX_CONDITIONS = 64;

/** Returns the validation errors of match conditions. @param before the expressions of the stored object */
export async function validateMatchConditions(
  conditions: readonly MatchCondition[],
  path: string,
  {
    host,
    params,
    before,
    work,
  }: {
    readonly host: ExpressionHost;
    readonly params: boolean;
    readonly before: ReadonlySet<string>;
    readonly work: Work;
  },
): Promise<FieldError[]> {
  if (conditions.length === 0) return [];
  const rules = new ExpressionRules(await loadCel(), host, work);
  const errors: FieldError[] = [];
  if (conditions.length > MAX_CONDITIONS) errors.push(fieldError.tooMany(path, conditions.length, MAX_CONDITIONS));
  const names = new Set<string>();
  const ofEach = errorsOf(conditions, ({ name, expression }, i) => {
    const at = `${path}[${i}]`;
    const source = trimSpace(expression);
    const problems =
      source === ''
        ? [fieldError.required(`${at}.expression`)]
        : rules.problems(`${at}.expression`, source, { stored: before.has(source), params, authorizer: true }, [
            'bool',
          ]);
    if (name === '') return [...problems, fieldError.required(`${at}.name`)];
    problems.push(...validateOptional(`${at}.name`, name, qualifiedName));
    if (names.has(name)) problems.push(fieldError.duplicate(`${at}.name`, name));
    names.add(name);
    return problems;
  });
  return [...errors, ...ofEach];
}

/** Returns the expressions of match conditions. */
export const expressionsOf = (conditions: readonly MatchCondition[] = []): string[] =>
  conditions.map(({ expression }) => expression);
