import type { FastifyRequest } from 'fastify';

/** The header of requests that a page sends to refresh itself. */
const refreshHeader = 'x-refresh';

/** True if a page refreshes itself, which is not use by a person. */
export const isRefresh = ({ headers }: FastifyRequest): boolean => headers[refreshHeader] !== undefined;
