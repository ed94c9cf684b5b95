export interface EntryPoint {
  readonly name: string;
  readonly path: string;
}
export function entryPoints(): EntryPoint[];
