import type { NatsConnection } from '@nats-io/transport-node';

/** Copies that a stream or a key-value bucket gets: three in a cluster, so that one server may die; one on a single server. */
export const replicasOf = ({ info }: NatsConnection): number => (info?.cluster === undefined ? 1 : 3);
