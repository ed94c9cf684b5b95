import { type Dialect, ofDialect } from '../../meta/dialect.js';
import type { DeviceClaim, DeviceSelector } from './resource-v1alpha3.types.js';

/** What is wrong with an expression that picks devices; undefined where nothing is. */
export type CheckExpression = (expression: string) => string | undefined;

/** The engine is loaded with the first expression: most servers see none. */
export async function expressionCheck(
  selectors: readonly DeviceSelector[] | undefined,
  dialect: Dialect,
): Promise<CheckExpression> {
  return selectors?.some(({ cel }) => cel) ? load(dialect) : () => undefined;
}

/** The same for all requests of a claim. */
export const expressionCheckOf = ({ requests = [] }: DeviceClaim, dialect: Dialect): Promise<CheckExpression> =>
  expressionCheck(
    requests.flatMap(({ selectors = [] }) => selectors),
    dialect,
  );

const load = ofDialect(async ({ typePackage }): Promise<CheckExpression> => {
  const { formatType } = await import('../../cel/index.js');
  const { CompilationFailed, compileTyped, deviceEnvironment } = await import('../../cel/rules.js');
  const environment = deviceEnvironment(typePackage);
  return (expression) => {
    try {
      // Attributes are of any type: one alone may be the selector.
      compileTyped(
        environment,
        expression,
        ['bool', 'any'],
        (type) => `must evaluate to bool or the unknown type, not ${formatType(type)}`,
      );
      return undefined;
    } catch (error) {
      if (!(error instanceof CompilationFailed)) throw error;
      return error.message;
    }
  };
});
