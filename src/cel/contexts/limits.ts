/** The highest exact cost of one evaluation. */
export const CALL_LIMIT = 1_000_000;
/** The highest exact cost of all rules over one object, or of all expressions of one policy binding in a request. */
export const REQUEST_LIMIT = 10_000_000;
/** The highest exact cost of all match conditions of one webhook or policy. */
export const MATCH_LIMIT = REQUEST_LIMIT / 4;
/** The highest cost estimate of one expression, over all places where it may be evaluated. */
export const ESTIMATE_LIMIT = 10_000_000;
/** The highest cost estimate of all expressions of one schema together. */
export const SCHEMA_ESTIMATE_LIMIT = 100_000_000;
/** The maximum size in bytes of a message that a `messageExpression` returns. */
export const MESSAGE_LIMIT = 5 * 1024;
