/** Highest exact cost of one evaluation. */
export const CALL_LIMIT = 1_000_000;
/** Highest exact cost of all rules over one object, or of all expressions of one policy binding in a request. */
export const REQUEST_LIMIT = 10_000_000;
/** Highest exact cost of all match conditions of one webhook or policy. */
export const MATCH_LIMIT = REQUEST_LIMIT / 4;
/** Highest estimate of one expression, over all places it may be evaluated at. */
export const ESTIMATE_LIMIT = 10_000_000;
/** Highest estimate of all expressions of one schema. */
export const SCHEMA_ESTIMATE_LIMIT = 100_000_000;
/** Most bytes of a message that an expression makes. */
export const MESSAGE_LIMIT = 5 * 1024;
