/** The maximum runtime cost of one evaluation. */
export const CALL_LIMIT = 1_000_000;
/**
 * The maximum runtime cost of all validation rules that are evaluated for one object. For a ValidatingAdmissionPolicy, it is the maximum
 * runtime cost of all validations and messages, for each binding and request.
 */
export const REQUEST_LIMIT = 10_000_000;
/** The maximum runtime cost of all match conditions of one webhook or policy. */
export const MATCH_LIMIT = REQUEST_LIMIT / 4;
/**
 * The maximum estimated cost of one validation rule or message expression, multiplied by how often the rule can apply to one object
 * according to the schema.
 */
export const ESTIMATE_LIMIT = 10_000_000;
/** The maximum estimated cost of all expressions of one schema together. */
export const SCHEMA_ESTIMATE_LIMIT = 100_000_000;
/** The maximum size in bytes of a message that a `messageExpression` returns. */
export const MESSAGE_LIMIT = 5 * 1024;
