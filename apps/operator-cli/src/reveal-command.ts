import { revealByCommand, type RevealByCommand } from '@xs2a/contracts/console/reveal.contract';
import { newId } from '@xs2a/runtime/ids';
import { userInfo } from 'node:os';
import { askConsole } from './ask-service.js';
import { defineCommand } from './command-line/define-command.js';
import { argument, countUpTo, option } from './command-line/options.js';
import { Refusal } from './command-line/refusal.js';
import { checkReason, recordOptions } from './privacy/person-options.js';

/** The command that shows one encrypted field. The console reads it, so that nothing is shown without a record. */
export const revealCommand = (kind: RevealByCommand['kind'], fields: readonly RevealByCommand['field'][]) =>
  defineCommand({
    name: 'reveal',
    help: `one encrypted field of a ${kind}; recorded among the console's actions, at most 20 times an hour`,
    options: {
      id: argument(`id of a ${kind}`),
      field: option('<field>', 'the field', fields).required(),
      ...(kind === 'payment'
        ? { entry: option('<number>', 'entry of a bulk payment', countUpTo(100_000)).or(1) }
        : {}),
      ...recordOptions,
    },
    run: async ({
      connections,
      options: { id, field, reason, operator = userInfo().username, ...others },
    }) => {
      checkReason(reason, { psuIds: [], ibans: [] });
      const request = { actionId: newId(), kind, id, field, operator, reason, ...others };
      const revealed = await askConsole(connections, revealByCommand, request);
      if ('refused' in revealed) throw new Refusal(revealed.refused);
      return revealed;
    },
    text: ({ values }) => (values.length === 0 ? 'none was given' : values.join('\n')),
  });
