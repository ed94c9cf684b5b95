/** The maximum runtime cost of one evaluation. */
export const CALL_LIMIT = 1_000_000;
/**
 * The maximum runtime cost of all validation rules that are evaluated for one object. It is also the maximum runtime cost of all
 * validations and messages of a policy for one of its bindings in one request.
 */
export const REQUEST_LIMIT = 10_000_000;
/** The maximum runtime cost of all match conditions of one webhook or policy. */
export const MATCH_LIMIT = REQUEST_LIMIT / 4;
/**
 * The maximum estimated cost of one validation rule or message expression, multiplied by how often the schema lets it occur in one object.
 */
export const ESTIMATE_LIMIT = 10_000_000;
/** The maximum estimated cost of all expressions of one schema together. */
export const SCHEMA_ESTIMATE_LIMIT = 100_000_000;
/** The maximum size in bytes of a message that a `messageExpression` returns. */
export const MESSAGE_LIMIT = 5 * 1024;
