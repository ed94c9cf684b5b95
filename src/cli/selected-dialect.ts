import { type Dialect, dialectOf } from '../meta/dialect.js';

/** Returns the dialect that the flags select. */
export const selectedDialect = ({ dialect }: { readonly dialect: string }): Dialect =>
  dialectOf(dialect === 'k8s' ? 'k8s' : 'orch');
