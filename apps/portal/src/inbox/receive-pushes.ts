import { inboxBodyBytes, inboxPath } from '@xs2a/contracts/portal/inbox';
import type { Logger } from '@xs2a/observability/logger';
import type { Clock } from '@xs2a/runtime/clock';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { setTimeout as wait } from 'node:timers/promises';
import type { InboxAddresses } from './inbox-addresses.js';
import { type Failure, type InboxEntries, keptHeaders } from './inbox-entries.js';
import type { PlannedAnswers } from './planned-answers.js';

export interface InboxParts {
  readonly addresses: Pick<InboxAddresses, 'idOfSecret'>;
  readonly entries: Pick<InboxEntries, 'add'>;
  readonly planned: Pick<PlannedAnswers, 'take'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** How long an inbox is silent on purpose, in milliseconds: twice as long as the bank waits. */
const silentMs = 10_000;

/**
 * Receives what is sent to inboxes, whatever its form: 204 if it was stored, unless the TPP has planned another answer, and 404
 * if there is no such inbox.
 */
export const receivePushes = async (
  fastify: FastifyInstance,
  { addresses, entries, planned, clock, logger }: InboxParts,
): Promise<void> => {
  await fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: inboxBodyBytes },
      (_request, body, done) => done(null, body),
    );
    scope.post<{ Params: { readonly secret: string } }>(`${inboxPath}/:secret`, async (request, reply) => {
      const id = addresses.idOfSecret(request.params.secret);
      if (id === undefined) return reply.code(404).send();
      const received = { time: clock.now(), headers: headersOf(request), body: bodyOf(request) };
      let failure: Failure | undefined;
      try {
        failure = await planned.take(id);
        await entries.add(id, { ...received, answer: failure ?? 'HTTP 204' });
      } catch (error) {
        logger.warn({ error }, 'inbox: a push was not stored; its sender tries again');
        return reply.code(503).header('retry-after', '5').send();
      }
      if (failure === 'no answer') await wait(silentMs);
      return reply.code(failure === undefined ? 204 : 500).send();
    });
  });
};

const headersOf = ({ headers }: FastifyRequest): Readonly<Record<string, string>> =>
  Object.fromEntries(
    keptHeaders.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, [value].flat().join(', ')] as const];
    }),
  );

const bodyOf = ({ body }: FastifyRequest): string =>
  Buffer.isBuffer(body) ? body.toString('base64url') : '';
