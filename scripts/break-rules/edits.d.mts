export const edits: readonly (readonly [file: string, before: string, after: string, test: string])[];
