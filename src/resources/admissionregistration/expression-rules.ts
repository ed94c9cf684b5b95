import type { Environment, Type } from '../../cel/index.js';
import { errorsOf, type FieldError, fieldError } from '../../meta/field-error.js';
import type { Host } from '../../meta/host.js';
import { qualifiedName } from '../../meta/names.js';
import { messageOf } from '../../values/message-of.js';
import { checked } from '../fragments/value-rules.js';
import type { MatchCondition } from './admissionregistration-v1.types.js';

export type Cel = typeof import('../../cel/rules.js');

/** The engine is large: it is loaded when the first expression is there. */
export const loadCel = (): Promise<Cel> => import('../../cel/rules.js');

/** Expressions that are new may use the libraries of the release before, which others may have to read; stored ones all. */
const NEW_RELEASE = 30;
const STORED_RELEASE = 31;

export interface ExpressionOptions {
  readonly params?: boolean;
  readonly authorizer?: boolean;
  readonly variables?: InstanceType<Cel['Composition']> | undefined;
}

/** What of a server decides about expressions. */
export type ExpressionHost = Pick<Host, 'dialect' | 'gates'>;

/** Judges expressions of one object. */
export class ExpressionRules {
  readonly cel: Cel;
  readonly #host: ExpressionHost;
  readonly #environments = new Map<string, Environment>();

  constructor(cel: Cel, host: ExpressionHost) {
    this.cel = cel;
    this.#host = host;
  }

  /** Compiles one, by the libraries that it may use. @throws CompilationFailed with the reference's text */
  compile(source: string, stored: boolean, options: ExpressionOptions, wanted: readonly Type['kind'][] = []) {
    return this.cel.compileTyped(this.#environmentOf(stored, options), source, wanted);
  }

  /** What is wrong with one. @param shown what the refusal shows, default the source */
  problems(
    path: string,
    source: string,
    { stored, shown = source, ...options }: ExpressionOptions & { readonly stored: boolean; readonly shown?: string },
    wanted: readonly Type['kind'][],
  ): FieldError[] {
    try {
      this.compile(source, stored, options, wanted);
      return [];
    } catch (error) {
      if (!(error instanceof this.cel.CompilationFailed)) throw error;
      return [fieldError.invalid(path, shown, messageOf(error))];
    }
  }

  /** The type of `variables` grows as they are declared, and the environment with it: one is enough for all. */
  #environmentOf(stored: boolean, { params = false, authorizer = false, variables }: ExpressionOptions): Environment {
    const key = `${stored} ${params} ${authorizer} ${variables !== undefined}`;
    let environment = this.#environments.get(key);
    if (environment === undefined) {
      const release = stored ? STORED_RELEASE : NEW_RELEASE;
      const { dialect, gates } = this.#host;
      const authorizerSelectors = gates.AuthorizeWithSelectors;
      const given = variables === undefined ? {} : { variables };
      environment = this.cel.admissionEnvironment({
        ...{ release, params, authorizer, authorizerSelectors },
        ...this.cel.languageOf(dialect),
        ...given,
      });
      this.#environments.set(key, environment);
    }
    return environment;
  }
}

const MAX_CONDITIONS = 64;

/** What is wrong with match conditions. @param before expressions that the stored object has */
export async function validateMatchConditions(
  conditions: readonly MatchCondition[],
  path: string,
  {
    host,
    params,
    before,
  }: { readonly host: ExpressionHost; readonly params: boolean; readonly before: ReadonlySet<string> },
): Promise<FieldError[]> {
  if (conditions.length === 0) return [];
  const rules = new ExpressionRules(await loadCel(), host);
  const errors: FieldError[] = [];
  if (conditions.length > MAX_CONDITIONS) errors.push(fieldError.tooMany(path, conditions.length, MAX_CONDITIONS));
  const names = new Set<string>();
  const ofEach = errorsOf(conditions, ({ name, expression }, i) => {
    const at = `${path}[${i}]`;
    const source = expression.trim();
    const problems =
      source === ''
        ? [fieldError.required(`${at}.expression`)]
        : rules.problems(`${at}.expression`, source, { stored: before.has(source), params, authorizer: true }, [
            'bool',
          ]);
    if (name === '') return [...problems, fieldError.required(`${at}.name`)];
    problems.push(...checked(`${at}.name`, name, qualifiedName));
    if (names.has(name)) problems.push(fieldError.duplicate(`${at}.name`, name));
    names.add(name);
    return problems;
  });
  return [...errors, ...ofEach];
}

/** The expressions of match conditions, as a set. */
export const expressionsOf = (conditions: readonly MatchCondition[] = []): string[] =>
  conditions.map(({ expression }) => expression);
