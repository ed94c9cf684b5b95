/** What is done about unknown and duplicate fields of a body: they are ignored, each one causes a warning, or the request is refused. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';
