import { type Dialect, ofDialect } from '../../meta/dialect.js';
import type { DeviceClaim, DeviceSelector } from './resource-v1alpha3.types.js';

/** Returns the problem with a device selector expression, or undefined when it is valid. */
export type CheckExpression = (expression: string) => string | undefined;

/** Returns the check of expressions. The CEL engine is loaded only if there are any, because most servers have none. */
export async function expressionCheck(
  selectors: readonly DeviceSelector[] | undefined,
  dialect: Dialect,
): Promise<CheckExpression> {
  return selectors?.some(({ cel }) => cel) ? load(dialect) : () => undefined;
}

/** Returns the check for the expressions in all requests of a claim. */
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
      // Attributes have any type, and a single attribute may be the whole expression.
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
