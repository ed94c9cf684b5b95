import type { DeviceClaim, DeviceSelector } from './device-schema.js';

/** What is wrong with an expression that picks devices; undefined where nothing is. */
export type CheckExpression = (expression: string) => string | undefined;

let loaded: Promise<CheckExpression> | undefined;

/** The engine is loaded with the first expression: most servers see none. */
export async function expressionCheck(selectors: readonly DeviceSelector[] | undefined): Promise<CheckExpression> {
  if (!selectors?.some(({ cel }) => cel)) return () => undefined;
  loaded ??= load();
  return loaded;
}

/** The same for all requests of a claim. */
export const expressionCheckOf = ({ requests = [] }: DeviceClaim): Promise<CheckExpression> =>
  expressionCheck(requests.flatMap(({ selectors = [] }) => selectors));

async function load(): Promise<CheckExpression> {
  const { formatType } = await import('../../cel/index.js');
  const { CompilationFailed, compileTyped, deviceEnvironment } = await import('../../cel/rules.js');
  const environment = deviceEnvironment();
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
}
