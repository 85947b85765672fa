import type { EndpointId } from '../../endpoint-rules.js';
import { bodyFailures, type Operation } from './operation.js';

/** The clock of the sandbox (contract 13). */
export const clockOperations: Pick<
  Record<EndpointId, Operation>,
  'readClock' | 'advanceClock' | 'listClockMoves'
> = {
  readClock: {
    tag: 'Sandbox',
    summary: 'Read the clock',
    answer: 'ClockTime',
    example: { now: '2026-11-20T09:30:00.000Z' },
    failures: [],
  },
  advanceClock: {
    tag: 'Sandbox',
    summary: 'Move the clock forward',
    description:
      'Moves the clock that all services share: tokens age and payments fall due. Returns once all due work is done.',
    request: { schema: 'ClockAdvance', example: { advance: 'PT1M' } },
    answer: 'ClockTime',
    example: { now: '2026-11-20T09:31:00.000Z' },
    failures: ['clockFixed', ...bodyFailures],
  },
  listClockMoves: {
    tag: 'Sandbox',
    summary: 'See who moved the clock',
    description: 'The latest ten moves by any user of the sandbox, newest first.',
    answer: 'ClockMoveList',
    example: {
      moves: [{ clientId: 'tpp-4f1c0a9b', advance: 'P1D', movedAt: '2026-11-20T09:30:00.000Z' }],
    },
    failures: [],
  },
};
