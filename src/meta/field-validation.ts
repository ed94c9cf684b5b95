/** What is done about unknown and duplicate fields of a body: nothing, a warning each, or a refusal. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';
