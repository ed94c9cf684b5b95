/** The treatment of unknown and duplicate fields of a body: ignored, a warning for each, or a refusal. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';
