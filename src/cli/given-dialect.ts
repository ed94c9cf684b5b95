import { type Dialect, dialectOf } from '../meta/dialect.js';

/** The dialect that the flags name. */
export const givenDialect = ({ dialect }: { readonly dialect: string }): Dialect =>
  dialectOf(dialect === 'k8s' ? 'k8s' : 'orch');
